# SPDX-License-Identifier: Apache-2.0
"""The native cc_binary under its @rules_cc path."""

cc_binary = native.cc_binary
