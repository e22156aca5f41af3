"""Strict, frozen data models, and errors with one clear message for invalid data."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError, model_validator
from pydantic_core import ErrorDetails

from sim.errors import InputError, nearest_spelling, unknown_word_error
from sim.files.limits import DEPTH_MAX, too_deep_error
from sim.names import named_word
from sim.value_error import shown_value, value_error

NAME_LENGTH_MAX = 80  # characters; longer names do not fit into printed tables


class StrictModel(BaseModel):
    """Base class of models of data in files; instances are frozen.

    Unknown keys, NaN, infinity, numbers in quotes and `true` for 1 are refused. Lists are converted
    to tuples.

    Attributes:
        element: noun for an instance in messages; `""` for the class's name in lower case.
    """

    element: ClassVar[str] = ""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        validate_default=True,
        validate_by_name=True,
        validate_by_alias=True,
    )

    @model_validator(mode="before")
    @classmethod
    def _lists_become_tuples(cls, data: object) -> object:
        return _without_lists(data)


def _without_lists(data: object, levels: int = DEPTH_MAX) -> object:
    """Return data with all lists replaced by tuples, also in nested lists and dictionaries.

    Args:
        data: data to convert; values of other types are returned unchanged.
        levels: maximum number of nested levels below `data`.

    Raises:
        InputError: the data has more nested levels.
    """
    if not isinstance(data, list | tuple | dict):
        return data
    if levels < 0:
        raise too_deep_error()
    if isinstance(data, dict):
        return {key: _without_lists(value, levels - 1) for key, value in data.items()}
    return tuple(_without_lists(item, levels - 1) for item in data)


def _check_name(name: str) -> str:
    if not name.strip():
        raise InputError("must not be blank", value=name)
    if name != name.strip() or not name.isprintable():
        raise InputError(
            "must have no spaces at its ends and no unprintable characters", value=name
        )
    if len(name) > NAME_LENGTH_MAX:
        raise InputError(
            f"must have at most {NAME_LENGTH_MAX} characters", value=name, limit=NAME_LENGTH_MAX
        )
    return name


Name = Annotated[str, AfterValidator(_check_name)]
"""Name for people: 1 to 80 printable characters, without spaces at the ends."""


def one_of(what: str, vocabulary: Iterable[str]) -> AfterValidator:
    """Return a pydantic validator that replaces a word in any spelling by the permitted word.

    Args:
        what: noun for such a word in messages, such as `keyword`.
        vocabulary: permitted words; other words are refused.
    """
    return AfterValidator(lambda word: named_word(what, word, vocabulary))


def in_order_of(what: str, vocabulary: Collection[str]) -> AfterValidator:
    """Return a pydantic validator that sorts words, or a table by word, like a vocabulary.

    Words may be in any spelling. Repeated words in a list are removed; in a table they are refused.

    Args:
        what: noun for such a word in messages, such as `keyword`.
        vocabulary: permitted words in order; other words are refused.
    """

    def sort(items: Any) -> Any:
        spelt = {named_word(what, word, vocabulary): word for word in items}
        if len(spelt) < len(items) and isinstance(items, dict):
            raise InputError(f"must name no {what} twice", value=tuple(items))
        words = [word for word in vocabulary if word in spelt]
        if isinstance(items, dict):
            return {word: items[spelt[word]] for word in words}
        return tuple(words)

    return AfterValidator(sort)


def content_hash(model: StrictModel) -> str:
    """Return the SHA-256 of a model's data as 64 hexadecimal digits.

    The hash does not depend on comments and layout of the model's file. It depends on the order of
    a deck's cards, which determines the slots.

    Args:
        model: data to hash, such as a deck or a pool.

    Raises:
        TypeError: `model` is not a `StrictModel`.
    """
    if not isinstance(model, StrictModel):
        raise TypeError(f"{model!r} must be the data of a file, such as a Deck or a Pool")
    return hashlib.sha256(model.model_dump_json().encode()).hexdigest()


# --- errors for invalid data ---

_EXAMINED_MAX = 200  # problems examined of each kind; each takes 1 ms, and a file may have 500,000
_KEY_MARK = "[key]"  # last element of pydantic's path to a key, rather than to its value

ModelT = TypeVar("ModelT", bound=StrictModel)


def validate(model: type[ModelT], data: Mapping[str, Any], *, source: str) -> ModelT:
    """Return an instance of a model class, built from the content of a file.

    Args:
        model: class to instantiate.
        data: content of the file, with the keys as files spell them.
        source: origin of the data, such as a file and a line, with which every message begins.

    Raises:
        InputError: the data is not a mapping, or is not valid for the class; see `explain`.
    """
    if not isinstance(data, Mapping):
        raise InputError(f"{shown_value(data)} must be a table", place=source, value=data)
    try:
        return model.model_validate(data, by_alias=True, by_name=False)
    except ValidationError as error:
        raise explain(error, model, data, source=source) from None


def revalidated(model: ModelT, *, source: str, nested: bool = True) -> ModelT:
    """Return a validated copy of a model.

    Pydantic's methods `model_copy` and `model_construct` do not validate.

    Args:
        model: model that may have been created without validation.
        source: origin of the data, with which every message begins; `""` for no such beginning.
        nested: whether to also validate models inside it, which takes milliseconds for a pool.

    Raises:
        InputError: the data is not valid for the model's class; see `explain`.
    """
    data = model.model_dump(warnings=False) if nested else dict(model)
    try:
        return type(model).model_validate(data)
    except ValidationError as error:
        raise explain(error, type(model), data, source=source) from None


def explain(
    error: ValidationError, model: type[StrictModel], data: Mapping[str, Any], *, source: str
) -> InputError:
    """Return an error that describes the first problem of invalid data and counts the others.

    Unknown keys are reported first, since a misspelt key is often the reason for a missing key;
    such a pair counts as one problem.

    Args:
        error: error that pydantic raised.
        model: class that the data is not valid for.
        data: data that pydantic refused.
        source: origin of the data, with which the message begins.
    """
    (_, first), *others = validation_errors(error, model, data)
    n_more = len(others)
    least = "at least " if error.error_count() > _EXAMINED_MAX else ""
    if n_more:
        more = f" (and {least}{n_more} more problem{'s' if n_more > 1 else ''})"
        last = "remedy" if first.remedy else "problem"  # the field that ends the message
        first = first.with_fields(**{last: f"{getattr(first, last)}{more}"})
    return first.at(source)


def validation_errors(
    error: ValidationError, model: type[StrictModel], data: Mapping[str, Any]
) -> list[tuple[str, InputError]]:
    """Return pairs of a faulty key and an error, one for each problem of invalid data.

    The key is a top-level key of `data`; it is `""` for a problem of several keys together. At most
    400 problems are returned.

    Args:
        error: error that pydantic raised.
        model: class that the data is not valid for.
        data: data that pydantic refused.
    """
    errors = []
    for problem in _distinct_problems(error, model, data):
        *elements, field = _location(problem, model, data)
        place = ": ".join(part for part in elements if part)
        key = str(problem["loc"][0]) if problem["loc"] else ""
        errors.append((key, _input_error(problem, field, model).at(place)))
    return errors


def _distinct_problems(
    error: ValidationError, model: type[StrictModel], data: Mapping[str, object]
) -> list[ErrorDetails]:
    """Return pydantic's problems without duplicates: one per place, unknown keys first.

    A missing key is omitted if an unknown key is a misspelling of it, and a problem is omitted if
    a value inside its place has a problem. At most `_EXAMINED_MAX` unknown keys and as many other
    problems are returned.
    """
    problems = error.errors(include_url=False)
    unknown = [problem for problem in problems if problem["type"] == "extra_forbidden"]
    # Limited here and below, since the search for similar spellings is slow.
    unknown = unknown[:_EXAMINED_MAX]
    misspelt = set()
    for problem in unknown:
        *table, key = problem["loc"]
        misspelt.add((*table, nearest_spelling(str(key), _keys_at(model, tuple(table)))))
    others = [
        problem
        for problem in problems
        if problem["type"] not in {"extra_forbidden", "default_factory_not_called"}
        and not (problem["type"] == "missing" and problem["loc"] in misspelt)
    ][:_EXAMINED_MAX]
    by_place: dict[tuple[int | str, ...], ErrorDetails] = {}
    for problem in unknown + others:
        by_place.setdefault(tuple(step for step, _ in _steps(problem, data)), problem)
    # Each member of a union reports a problem, some at the value itself and some deeper inside it.
    above = {place[:depth] for place in by_place for depth in range(len(place))}
    return [problem for place, problem in by_place.items() if place not in above]


def _location(
    problem: ErrorDetails, model: type[StrictModel], data: Mapping[str, Any]
) -> list[str]:
    """Return the path to a problem in words, from the outermost element to the field.

    Elements of lists are named, as in `card 'oak'`, or numbered. The last item is the dotted path
    of keys within the last element, or the element itself if the problem is not in a key of it;
    it is `""` for a problem of the whole data.
    """
    elements: list[str] = []
    keys: list[str] = []
    for step, value in _steps(problem, data):
        if isinstance(step, int):
            own_name = _own_name(value)
            key = ".".join(keys)
            elements.append(f"{key} {own_name!r}" if own_name else f"{key} #{step + 1}")
            keys = []
        else:
            keys.append(step)
    # The outermost object is named only if no element inside has a name, to keep messages short.
    if not any("'" in element for element in elements):
        own_name = _own_name(data)
        root = f"{model.element or model.__name__.lower()} {own_name!r}" if own_name else ""
        elements.insert(0, root)
    field = ".".join(keys) or (elements.pop() if len(elements) > 1 else "")
    return [*elements, field]


def _steps(problem: ErrorDetails, data: Mapping[str, object]) -> Iterator[tuple[int | str, object]]:
    """Yield the steps of a problem's path, and the value of the data at each step.

    Steps that pydantic adds for its own types are omitted. The value is `None` at a missing key.
    """
    here: object = data
    last = len(problem["loc"]) - 1
    for place, step in enumerate(problem["loc"]):
        if isinstance(step, str):
            # Pydantic also puts marks into the path: `[key]`, and the types of a union.
            if not isinstance(here, Mapping) or step == _KEY_MARK:
                continue
            is_missing_key = place == last and problem["type"] == "missing"
            if step not in here and not is_missing_key:
                continue
            here = here.get(step)
        else:
            here = here[step] if isinstance(here, list | tuple) and step < len(here) else None
        yield step, here


def _own_name(value: object) -> str | None:
    if not isinstance(value, Mapping):
        return None
    names = (value.get("id"), value.get("name"))
    return next((name for name in names if isinstance(name, str) and name), None)


def _input_error(problem: ErrorDetails, field: str, model: type[StrictModel]) -> InputError:
    """Return the error for one of pydantic's problems.

    Args:
        problem: problem as pydantic describes it.
        field: place of the problem within its element.
        model: class that the data is not valid for.
    """
    value = problem["input"]
    if problem["type"] == "extra_forbidden":
        *table, key = problem["loc"]
        place = field.removesuffix(str(key)).removesuffix(".")
        return unknown_word_error("key", str(key), _keys_at(model, tuple(table)), place=place)
    if problem["type"] == "missing":
        is_item = isinstance(problem["loc"][-1], int)
        return InputError("missing value", place=field) if is_item else missing_key_error(field)
    reason = problem.get("ctx", {}).get("error")
    if isinstance(reason, InputError) and reason.place:
        return reason.at(field)
    wanted, remedy = _problem_and_remedy(problem)
    limit = reason.limit if isinstance(reason, InputError) else _limit_of(problem)
    if not wanted.startswith("must"):
        return InputError(wanted, place=field, value=value, limit=limit, remedy=remedy)
    if problem["loc"] and problem["loc"][-1] == _KEY_MARK:
        shown = f"key {shown_value(value)} {wanted}"
        return InputError(shown, value=value, limit=limit, remedy=remedy)
    return value_error(field, value, wanted, limit=limit, remedy=remedy)


def missing_key_error(key: str) -> InputError:
    """Return the error for a table that lacks a required key."""
    return InputError(f"missing key {key!r}")


def _limit_of(problem: ErrorDetails) -> object:
    """Return the violated bound or the permitted values in pydantic's problem; else `None`."""
    context = problem.get("ctx", {})
    return next((context[key] for key in _LIMITS if key in context), None)


def _problem_and_remedy(problem: ErrorDetails) -> tuple[str, str]:
    """Return the text of a problem and of its remedy, which may be `""`.

    The text is a phrase `must ...` that follows the value, or a full sentence.
    """
    context = problem.get("ctx", {})
    if problem["type"] == "value_error":
        reason = context["error"]
        if isinstance(reason, InputError):
            return reason.problem, reason.remedy
        return str(reason), ""
    if problem["type"] == "literal_error":
        choices = re.findall(r"'([^']*)'", context["expected"])
        if choices and isinstance(problem["input"], str):
            error = unknown_word_error("value", problem["input"], choices)
            return error.problem, error.remedy
    if problem["type"] in _WANTED:
        # Pydantic gives the limit of a share as a float, that of a count as a whole number.
        is_share = isinstance(context.get("le"), float) and context["le"] == 1
        hint = share_hint(problem["input"]) if is_share else ""
        entries = (
            "entry" if 1 in (context.get("min_length"), context.get("max_length")) else "entries"
        )
        return _WANTED[problem["type"]].format(**context, entries=entries), hint
    return problem["msg"], ""


def share_hint(value: object) -> str:
    """Return a hint that converts a percentage to a share, such as `; 55 % is 0.55`.

    Return `""` if the value is not a number from 2 to 100.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    is_percent = _PERCENT_FROM <= value <= 100
    return f"; {value:g} % is {round(value / 100, 9):g}" if is_percent else ""


_PERCENT_FROM = 2  # numbers between 1 and 2 are no shares, but probably not percentages either


_LIMITS = ("ge", "gt", "le", "lt", "multiple_of", "min_length", "max_length", "expected")
"""Keys of the context of pydantic's problems that contain a bound or the permitted values."""

_WANTED = {
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be more than {gt}",
    "less_than_equal": "must be at most {le}",
    "less_than": "must be less than {lt}",
    "multiple_of": "must be a multiple of {multiple_of}",
    "literal_error": "must be {expected}",
    "finite_number": "must be a finite number",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "string_type": "must be text in quotes",
    "tuple_type": "must be a list, in brackets",
    "list_type": "must be a list, in brackets",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
    "too_short": "must have at least {min_length} {entries}, but has {actual_length}",
    "too_long": "must have at most {max_length} {entries}, but has {actual_length}",
    "string_too_short": "must be at least {min_length} characters long",
    "string_too_long": "must be at most {max_length} characters long",
    "string_pattern_mismatch": "must be of the form {pattern}",
}


def _keys_at(model: type[StrictModel], table: tuple[int | str, ...]) -> list[str]:
    """Return the permitted keys of a nested table, as files spell them.

    Args:
        model: class of the whole data.
        table: path of the table within the data; steps that are no fields are skipped.
    """
    here = [model]
    for step in table:
        fields = [field for table in here for field in _fields(table) if field[0] == step]
        if fields:
            here = [inner for _, annotation in fields for inner in _models_in(annotation)]
    return list(dict.fromkeys(key for inner in here for key, _ in _fields(inner)))


def _fields(model: type[StrictModel]) -> Iterator[tuple[str, object]]:
    for name, field in model.model_fields.items():
        alias = field.validation_alias
        yield (alias if isinstance(alias, str) else name), field.annotation


def _models_in(annotation: object) -> Iterator[type[StrictModel]]:
    if isinstance(annotation, type) and issubclass(annotation, StrictModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)
