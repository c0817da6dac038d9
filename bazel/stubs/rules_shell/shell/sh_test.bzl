# SPDX-License-Identifier: Apache-2.0
"""The native sh_test under its @rules_shell path."""

sh_test = native.sh_test
