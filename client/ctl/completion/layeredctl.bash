# SPDX-License-Identifier: Apache-2.0
#
# Completion of layeredctl for bash: verbs, options, and the names of the layers of a running daemon.
# Installed as /usr/share/bash-completion/completions/layeredctl.
#
# Names are chosen by others and may hold anything, $(...) too. They never go to `compgen -W`, which
# expands its words, and are quoted before they reach the command line.

# Adds the names that begin with $1, typed plainly or quoted with backslashes.
_layeredctl_layers() {
  local name quoted
  while IFS= read -r name; do
    printf -v quoted '%q' "$name"
    if [[ $name == "$1"* || $quoted == "$1"* ]]; then COMPREPLY+=("$quoted"); fi
  done < <(layeredctl --timeout 1s get --all 2>/dev/null | sed -n 's/^name    //p')
}

_layeredctl() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local verbs="set-layer get list delete-layer watch status version help"
  local global="--socket --output -o --timeout --help --version"
  local verb="" word
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ " $verbs " == *" $word "* ]]; then
      verb=$word
      break
    fi
  done

  COMPREPLY=()
  case $previous in
    -o | --output) mapfile -t COMPREPLY < <(compgen -W "table json" -- "$current"); return ;;
    --socket)
      compopt -o filenames 2>/dev/null  # has readline quote them
      mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    --before | --after) _layeredctl_layers "$current"; return ;;
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
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  case $verb in
    set-layer | get | delete-layer | watch)
      [[ $current == -* ]] || _layeredctl_layers "$current" ;;
  esac
}

complete -F _layeredctl layeredctl
