"""Units of measure: what they measure, and how many base units they are."""

from fractions import Fraction
from typing import NamedTuple


class Unit(NamedTuple):
    """A dimension and the factor to its base unit; `offset` is subtracted first (degrees Fahrenheit)."""

    dimension: str
    factor: Fraction
    offset: int = 0


_TABLE = {
    "length": {  # metres
        "mm millimetre millimetres millimeter millimeters": "0.001",
        "cm centimetre centimetres centimeter centimeters": "0.01",
        "m metre metres meter meters": "1",
        "km kms kilometre kilometres kilometer kilometers": "1000",
        "inch inches": "0.0254",
        "ft foot feet": "0.3048",
        "yd yard yards": "0.9144",
        "mi mile miles": "1609.344",
    },
    "mass": {  # grams
        "mg milligram milligrams": "0.001",
        "g gram grams gramme grammes": "1",
        "kg kgs kilo kilos kilogram kilograms": "1000",
        "tonne tonnes": "1000000",
        "lb lbs": "453.59237",
        "oz ounce ounces": "28.349523125",
    },
    "volume": {  # litres
        "ml millilitre millilitres milliliter milliliters": "0.001",
        "cl centilitre centilitres": "0.01",
        "l litre litres liter liters": "1",
        "m3 cubic-metre cubic-metres cubic-meter cubic-meters": "1000",
    },
    "area": {  # square metres
        "m2 sq-m square-metre square-metres square-meter square-meters": "1",
        "ha hectare hectares": "10000",
        "km2 sq-km square-kilometre square-kilometres square-kilometer square-kilometers": "1000000",
        "acre acres": "4046.8564224",
        "sq-mi square-mile square-miles": "2589988.110336",
    },
    "time": {  # seconds
        "ms millisecond milliseconds": "0.001",
        "s sec secs second seconds": "1",
        "min mins minute minutes": "60",
        "h hr hrs hour hours": "3600",
        "day days": "86400",
        "week weeks": "604800",
    },
    "months": {"month months": "1", "yr yrs year years": "12", "decade decades": "120", "century centuries": "1200"},
    "speed": {"km/h kph kmh": "1", "mph": "1.609344", "m/s": "3.6"},
    "power": {  # kilowatts
        "milliwatt milliwatts": "0.000001",
        "watt watts": "0.001",
        "kw kilowatt kilowatts": "1",
        "mw megawatt megawatts": "1000",
        "gw gigawatt gigawatts": "1000000",
    },
    "data": {"megabit megabits": "125", "gigabit gigabits": "125000", "kb": "1", "mb": "1000", "gb": "1000000", "tb": "1000000000"},
    "percent": {"% percent per-cent": "1"},
    "usd": {"$ us$ usd dollar dollars us-dollar us-dollars": "1"},
    "eur": {"€ eur euro euros": "1"},
    "gbp": {"£ gbp": "1"},
    "jpy": {"¥ jpy yen": "1"},
    "temperature": {"°c °-c degrees-celsius degree-celsius celsius degrees-centigrade": "1"},
}

UNITS: dict[str, Unit] = {
    name: Unit(dimension, Fraction(factor))
    for dimension, rows in _TABLE.items()
    for names, factor in rows.items()
    for name in names.split()
}
UNITS |= dict.fromkeys(("°f", "°-f", "degrees-fahrenheit", "degree-fahrenheit", "fahrenheit"), Unit("temperature", Fraction(5, 9), 32))
"""Units by their folded name; a name of two words is written with a hyphen."""

SCALES: dict[str, int] = {
    "hundred": 100,
    "thousand": 1000,
    "k": 1000,
    "million": 10**6,
    "millions": 10**6,
    "mn": 10**6,
    "billion": 10**9,
    "billions": 10**9,
    "bn": 10**9,
    "trillion": 10**12,
    "dozen": 12,
}

_SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"

NUMBER_WORDS: dict[str, int] = {
    **{word: value for value, word in enumerate(_SMALL.split())},
    **{word: 10 * value for value, word in enumerate(_TENS.split(), start=2)},
}

SHARES: dict[str, Fraction] = {
    "half": Fraction(50),
    "a third": Fraction(100, 3),
    "one third": Fraction(100, 3),
    "two thirds": Fraction(200, 3),
    "a quarter": Fraction(25),
    "one quarter": Fraction(25),
    "three quarters": Fraction(75),
    "a fifth": Fraction(20),
    "one fifth": Fraction(20),
    "a tenth": Fraction(10),
    "one tenth": Fraction(10),
}
"""Fractions of a whole, in percent."""
