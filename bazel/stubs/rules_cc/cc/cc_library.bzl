# SPDX-License-Identifier: Apache-2.0
"""The native cc_library under its @rules_cc path."""

cc_library = native.cc_library
