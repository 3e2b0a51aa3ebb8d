"""A check of stored data against a form, for data that others may have forged."""

from __future__ import annotations

import math

from .untrusted_input import LARGEST_NUMBER

Form = object
"""A form: a type; None; a tuple of forms, one of which must fit; `[form]` for a list; `{str: form}` for a
table of such values; `{"name": form}` for a table that has these names, among others. `"name?"` may be
missing.
"""


def fits_form(value: object, form: Form) -> bool:
    """Return whether a value that was read as JSON has the form that is expected.

    A whole number is accepted in place of a float, if it isn't too large. Infinite numbers aren't accepted.
    Nor are texts with lone surrogates.
    """
    if isinstance(form, tuple):
        return any(fits_form(value, one) for one in form)
    if form is None:
        return value is None
    if isinstance(form, list):
        return isinstance(value, list) and all(fits_form(each, form[0]) for each in value)
    if isinstance(form, dict):
        return isinstance(value, dict) and _table_fits(value, form)
    if form is object:
        return True
    if form is bool or isinstance(value, bool):
        return form is bool and isinstance(value, bool)
    if form is int or (form is float and isinstance(value, int)):
        return isinstance(value, int) and abs(value) <= LARGEST_NUMBER
    if form is float:
        return isinstance(value, float) and math.isfinite(value)
    return isinstance(form, type) and isinstance(value, form) and (form is not str or _can_be_encoded(value))


def _can_be_encoded(text: object) -> bool:
    try:
        str(text).encode()
    except UnicodeEncodeError:
        return False
    return True


def _table_fits(value: dict[str, object], form: dict[object, Form]) -> bool:
    if str in form:
        return all(fits_form(name, str) and fits_form(each, form[str]) for name, each in value.items())
    for key, inner in form.items():
        name = str(key).removesuffix("?")
        if name in value:
            if not fits_form(value[name], inner):
                return False
        elif name == key:
            return False
    return True
