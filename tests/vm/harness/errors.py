# SPDX-License-Identifier: Apache-2.0
"""Exceptions that mean "say this to the person and stop"."""


class HarnessError(Exception):
    """A failure of the harness or its environment, not of the command in the guest."""


class UsageError(HarnessError):
    """The person asked for something that does not exist."""
