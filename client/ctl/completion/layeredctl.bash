# SPDX-License-Identifier: Apache-2.0
#
# Completion of layeredctl for bash: verbs, options, and the names of the layers of a running daemon.
# Installed as /usr/share/bash-completion/completions/layeredctl.

_layeredctl_layers() {
  # Names with spaces are left out: they would have to be quoted.
  layeredctl --timeout 1s list 2>/dev/null | awk 'NR > 1 && /^[^ ]/ { print $1 }'
}

_layeredctl() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local verbs="set-layer get list delete-layer watch status version help"
  local global="--socket --output -o --timeout --help"
  local verb="" word
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ " $verbs " == *" $word "* ]]; then
      verb=$word
      break
    fi
  done

  case $previous in
    -o | --output) mapfile -t COMPREPLY < <(compgen -W "table json" -- "$current"); return ;;
    --socket) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    --before | --after)
      mapfile -t COMPREPLY < <(compgen -W "$(_layeredctl_layers)" -- "$current"); return ;;
    --weight | --slice | --match | --etag | --reason | --timeout | --interval | --count) return ;;
  esac

  local words=$global
  case $verb in
    "") words+=" $verbs" ;;
    help) words=$verbs ;;
    set-layer) words+=" --weight --slice --match --before --after --etag --reason" ;;
    get) words+=" --all" ;;
    delete-layer) words+=" --etag --reason" ;;
    watch) words+=" --interval --count" ;;
  esac
  case $verb in
    set-layer | get | delete-layer | watch)
      [[ $current == -* ]] || words+=" $(_layeredctl_layers)" ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -F _layeredctl layeredctl
