# SPDX-License-Identifier: Apache-2.0
"""The native cc_test under its @rules_cc path."""

cc_test = native.cc_test
