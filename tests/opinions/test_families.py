"""Families: which words are forms and spellings of which, and how they share p."""

import pandas as pd
import pytest
from test_opinions import BAD, GOOD, NONE, estimates, lexicon, recorded, verdicts

from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions import families
from pipeline.publishing import check
from pipeline.tables import frames

FORM = {"wordnet_senses": 0, "scowl_size": 60, "zipf": 1.0}


def paired(form: str, base: str, **more: object) -> pd.DataFrame:
    return families.word_forms(
        lexicon({"word": base, "wordnet_pos": "nva"}, {"word": form, "lemma": base, **FORM, **more})
    )


@pytest.mark.parametrize(
    ("form", "base", "pos", "certain"),
    [
        ("coves", "cove", "n", True),
        ("nixed", "nixe", "nv", False),  # of "nix"
        ("gutted", "gutte", "nv", False),  # of "gut"
        ("caned", "cane", "nv", True),  # "can" makes "canned"
        ("gazes", "gaze", "nv", False),  # "gaz" could make it, too
        ("campier", "campi", "a", False),  # of "campy"
        ("potcher", "potch", "v", False),  # one who potches
        ("warmer", "warm", "av", True),
        ("mice", "mouse", "n", True),
    ],
)
def test_only_certain_forms_are_paired_with_their_base(form, base, pos, certain):
    words = lexicon({"word": base, "wordnet_pos": pos}, {"word": form, "lemma": base, **FORM})
    assert families.word_forms(words)["form"].tolist() == [form] * certain


@pytest.mark.parametrize(
    ("form", "more", "kinds"),
    [
        ("coves", {}, {"pure", "plural"}),
        ("coves", {"wordnet_senses": 1}, {"plural"}),
        ("coving", {}, {"pure", "verbal"}),
        ("coved", {"wordnet_senses": 2}, {"verbal"}),
        ("coves", {"scowl_size": 50, "zipf": 2.0}, {"pure", "plural", "everyday"}),
        ("coves", {"scowl_size": 55, "zipf": 2.0}, {"pure", "plural"}),
        ("coves", {"scowl_size": 50, "zipf": 1.9}, {"pure", "plural"}),
    ],
)
def test_kinds_of_forms(form, more, kinds):
    (row,) = paired(form, "cove", **more).to_dict("records")
    assert {name for name in ("pure", "verbal", "plural", "everyday") if row[name]} == kinds


NOTHING_TRIED, NO_SPELLINGS = frames.empty("record"), frames.empty("spellings")


MARKED = {"scowl_size": families.USUAL + 10, "scowl_variant": 50}


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([{"word": "bonny", "scowl_size": families.USUAL}, {"word": "bonney", **MARKED}], "bonney bonny ey for y"),
        ([{"word": "fancy", "scowl_size": families.USUAL + 10}, {"word": "fancey", **MARKED}], None),
        ([{"word": "gormy"}, {"word": "gormey", **MARKED, "scowl_size": families.USUAL}], None),
        ([{"word": "inquire"}, {"word": "enquire", **MARKED}], "enquire inquire en for in"),
        ([{"word": "inquire"}, {"word": "menquire", **MARKED}], None),
        ([{"word": "paralleled"}, {"word": "parallelled", **MARKED}], "parallelled paralleled ll for l"),
        ([{"word": "caftan"}, {"word": "kaftan", **MARKED}], None),
        ([{"word": "analyze"}, {"word": "analyse", **MARKED, "scowl_variant": NO_SIZE, "scowl_british": 35}],
         "analyse analyze yse for yze"),
        ([{"word": "analyze"}, {"word": "analyse", "scowl_size": 70, "scowl_british": NO_SIZE}], None),
    ],
)  # fmt: skip
def test_a_spelling_is_beyond_the_usual_size_and_called_variant_or_british_and_its_usual_one_is_not(rows, found):
    table = families.spellings(lexicon(*rows), {})
    assert [" ".join([row.variant, row.usual, row.differs]) for row in table.itertuples()] == [found] * bool(found)


def test_the_family_of_a_spelling_is_that_of_its_usual_one():
    words = lexicon({"word": "analyze"}, {"word": "analyzed", "lemma": "analyze"}, {"word": "analysed", **MARKED})
    found = families.spellings(words, {"analyzed": "analyze"})
    assert found[["variant", "root"]].values.tolist() == [["analysed", "analyze"]]


def spelled(differs: str, **roots: str) -> pd.DataFrame:
    rows = [{"variant": word, "usual": root, "root": root, "differs": differs} for word, root in roots.items()]
    return frames.from_rows(rows, "spellings")


COLOR = spelled("our for or", **{f"{stem}our": f"{stem}or" for stem in ("col", "fav", "hon", "lab", "harb")})
ANALYZE = spelled("yse for yze", **dict.fromkeys(["analyse", "analysed", "analyser"], "analyze"))
SPELLED = pd.concat([COLOR, ANALYZE, spelled("ll for l", anallyze="analyze")], ignore_index=True)
ACCEPTED = "+ related words spelled with yse for yze were accepted or kept"
REFUSED = "- related words spelled with yse for yze were refused or dropped"
KIND = "- every tried spelling with our for or was refused or dropped"


@pytest.mark.parametrize(
    ("word", "p", "tried", "judged", "expected"),
    [
        ("analysed", 0.9, {"analyse": BAD}, {}, (0.33, "estimate", REFUSED)),
        ("analysed", 0.9, {"analyse": BAD, "analyser": BAD}, {}, (0.25, "estimate", REFUSED)),
        ("analysed", 0.2, {"analyse": BAD}, {}, None),
        ("analysed", 0.2, {"analyse": GOOD}, {}, (0.7, "estimate", ACCEPTED)),
        ("analysed", 0.2, {"analyse": GOOD, "analyser": GOOD}, {}, (0.75, "estimate", ACCEPTED)),
        ("analysed", 0.9, {"analyse": GOOD, "analyser": BAD}, {}, None),
        ("analysed", 0.2, {"analyse": GOOD, "analyser": BAD}, {}, None),
        ("analysed", 0.9, {"analyse": GOOD}, {"analyse": "drop"}, (0.33, "estimate", REFUSED)),
        ("analysed", 0.9, {"colour": BAD, "favour": BAD, "honour": BAD}, {}, None),
        ("harbour", 0.9, {"colour": BAD, "favour": BAD, "honour": BAD}, {}, (0.2, "spelling", KIND)),
        ("harbour", 0.9, {"colour": BAD, "favour": BAD}, {"honour": "drop"}, (0.2, "spelling", KIND)),
        ("harbour", 0.3, {"colour": BAD, "favour": BAD, "honour": BAD}, {}, (0.2, "spelling", KIND)),
        ("harbour", 0.9, {"colour": BAD, "favour": BAD}, {}, None),
        ("harbour", 0.9, {"colour": BAD, "favour": BAD, "honour": BAD, "labour": GOOD}, {}, None),
        ("analysed", 0.9, {"anallyze": BAD}, {}, None),
        ("harbour", 0.9, {"colour": BAD, "favour": BAD, "honour": BAD}, {"harbour": "keep"}, None),
    ],
)
def test_outcomes_of_a_spelling_limit_its_untried_forms_and_else_those_of_its_kind(word, p, tried, judged, expected):
    found = families.share(
        estimates(**{word: p}), recorded(**tried), verdicts(*judged.items()), frames.empty("word_forms"), SPELLED
    )
    assert found[["p", "kind", "because"]].values.tolist() == [list(expected or (p, "estimate", "SCOWL 35"))]


def outcomes_of(word: str, p: float, tried: dict, judged: dict[str, str], base_zipf: float, **more: object):
    """The p and the reason of a word, if *cove* has this frequency and a form with these attributes."""
    form = word if word != "cove" else next(iter(tried))
    words = lexicon(
        {"word": "cove", "wordnet_pos": "nv", "zipf": base_zipf}, {"word": form, "lemma": "cove", **FORM, **more}
    )
    by_hand = verdicts(*judged.items())
    pairs = families.word_forms(words)
    return families.share(estimates(**{word: p}), recorded(**tried), by_hand, pairs, NO_SPELLINGS)


EVERYDAY = {"scowl_size": 50, "zipf": 2.0}


@pytest.mark.parametrize(
    ("word", "p", "tried", "judged", "base_zipf", "more", "expected"),
    [
        ("coves", 0.9, {"cove": BAD}, {}, 1.0, {}, (0.0, "- its base cove was refused")),
        ("coves", 0.9, {"cove": GOOD}, {"cove": "drop"}, 1.0, {}, (0.0, "- its base cove was dropped")),
        ("coves", 0.2, {"cove": BAD}, {}, 1.0, {}, (0.0, "- its base cove was refused")),
        ("coves", 0.19, {"cove": BAD}, {}, 1.0, {}, (0.0, "SCOWL 35")),  # it moves p by too little to be the reason
        ("coves", 0.9, {"cove": BAD}, {"cove": "keep"}, 1.0, {}, None),
        ("coves", 0.9, {"cove": BAD}, {"coves": "keep"}, 1.0, {}, None),
        ("coves", 0.9, {"cove": BAD}, {}, 0.9, {}, None),
        ("coves", 0.9, {"cove": BAD}, {}, 1.0, {"wordnet_senses": 1}, None),
        ("coving", 0.9, {"cove": BAD}, {}, 1.0, {}, (0.0, "- its base cove was refused")),
        ("coves", 0.9, {"nook": BAD}, {}, 1.0, {}, None),
        ("coves", 0.2, {"cove": GOOD}, {}, 3.0, EVERYDAY, (0.5, "+ its base cove was accepted")),
        (
            "coves",
            0.2,
            {"cove": BAD},
            {"cove": "keep"},
            3.0,
            EVERYDAY,
            (0.5, "+ its base cove was kept"),
        ),
        ("coves", 0.6, {"cove": GOOD}, {}, 3.0, EVERYDAY, None),
        ("coves", 0.2, {"cove": GOOD}, {}, 3.0, {"scowl_size": 55, "zipf": 2.0}, None),
        ("coves", 0.2, {"cove": GOOD}, {}, 3.0, {"scowl_size": 50, "zipf": 1.9}, None),
        ("cove", 0.2, {"coves": GOOD}, {}, 3.0, {}, (0.99, "+ its form coves was accepted")),
        ("cove", 0.2, {"coves": BAD}, {"coves": "keep"}, 3.0, {}, (0.99, "+ its form coves was kept")),
        ("cove", 0.2, {"coves": BAD}, {}, 3.0, {}, None),
        ("cove", 0.2, {"coves": GOOD}, {}, 3.0, {"wordnet_senses": 1}, None),
        ("cove", 0.2, {"coved": GOOD}, {}, 3.0, {"wordnet_senses": 1}, (0.99, "+ its form coved was accepted")),
        ("cove", 1.0, {"coved": GOOD}, {}, 3.0, {}, None),
    ],
)
def test_the_outcome_of_a_base_limits_its_untried_forms_and_that_of_a_form_its_base(
    word, p, tried, judged, base_zipf, more, expected
):
    found = outcomes_of(word, p, tried, judged, base_zipf, **more)
    assert found[["p", "because"]].values.tolist() == [list(expected or (p, "SCOWL 35"))]


def test_the_outcome_of_a_spelling_counts_before_that_of_the_base():
    """*Analysed* is a form of the refused *analyse*; its own spelling was refused once, which is weaker."""
    words = lexicon({"word": "analyse"}, {"word": "analysed", "lemma": "analyse", **FORM})
    pairs, guess = families.word_forms(words), estimates(analysed=0.9)
    by_base = families.share(guess, recorded(analyse=BAD), NONE, pairs, NO_SPELLINGS)
    by_spelling = families.share(guess, recorded(analyse=BAD), NONE, pairs, SPELLED)
    assert (by_base["p"].tolist(), by_spelling["p"].tolist()) == ([0.0], [0.33])


def test_a_word_without_an_estimate_changes_no_other_one():
    tried, pairs = recorded(coved=GOOD, zzzz=BAD), paired("coved", "cove")
    for guess in (estimates(), estimates(nook=0.2), estimates(coved=0.2)):
        found = families.share(guess, tried, NONE, pairs, SPELLED)
        pd.testing.assert_frame_equal(found, guess)


def test_a_word_with_a_record_keeps_the_p_of_its_record():
    guess = estimates(coves=0.9).assign(kind="record")
    found = families.share(guess, recorded(cove=BAD, coves=GOOD), NONE, paired("coves", "cove"), NO_SPELLINGS)
    assert found["p"].tolist() == [0.9]


def bound(form: str, own: float, base: float, kind: str = "estimate", judged: tuple[str, ...] = (), **more: object):
    """Return the p of base and form, and what the base and the form say first, after they share their p."""
    guess = pd.DataFrame(
        {"word": ["cove", form], "p": [base, own], "kind": ["estimate", kind], "because": "+ a; - b; + c"}
    )
    by_hand = verdicts(*[(word, "keep") for word in judged])
    found = families.share(guess, NOTHING_TRIED, by_hand, paired(form, "cove", **more), NO_SPELLINGS)
    return found["p"].tolist(), found["because"].tolist()


@pytest.mark.parametrize(
    ("form", "own", "base", "more", "expected"),
    [
        ("coved", 0.9, 0.3, {}, [0.6, 0.6]),
        ("coves", 0.8, 0.3, {}, [0.55, 0.55]),
        ("coved", 0.9, 0.3, {"wordnet_senses": 1}, [0.6, 0.9]),
        ("coves", 0.9, 0.3, {"wordnet_senses": 1}, [0.3, 0.9]),  # a noun of its own says nothing of the base
        ("covest", 0.9, 0.3, {}, [0.3, 0.3]),
        ("coved", 0.2, 0.9, {}, [0.9, 0.2]),
        ("coves", 0.25, 0.64, {}, [0.64, 0.5]),
        ("coves", 0.25, 0.65, {}, [0.65, 0.25]),
        ("coves", 0.24, 0.6, {}, [0.6, 0.24]),
        ("coves", 0.3, 0.5, {}, [0.5, 0.5]),
        ("coves", 0.3, 0.49, {}, [0.49, 0.3]),
        ("coved", 0.4, 0.6, {}, [0.6, 0.4]),
        ("coved", 0.1, 0.9, {"scowl_size": 50, "zipf": 2.0}, [0.9, 0.5]),
        ("coved", 0.1, 0.5, {"scowl_size": 50, "zipf": 2.0}, [0.5, 0.5]),
        ("coved", 0.1, 0.49, {"scowl_size": 50, "zipf": 2.0}, [0.49, 0.1]),
    ],
)
def test_untried_bases_and_forms_share_their_p(form, own, base, more, expected):
    assert bound(form, own, base, **more)[0] == expected


def test_a_shared_p_is_explained_if_it_makes_a_word_likely_or_unlikely():
    own = "+ a; - b; + c"
    assert bound("coved", 0.9, 0.3)[1] == ["+ its form coved is likely to be accepted", own]
    assert bound("coved", 0.6, 0.3)[1] == [own, "- its base cove is unlikely to be accepted"]
    assert bound("coves", 0.4, 0.6)[1] == [own, "+ its base cove is likely to be accepted"]
    assert bound("covest", 0.5, 0.4)[1] == [own, "- its base cove is unlikely to be accepted"]
    assert bound("covest", 0.49, 0.4)[1] == [own, own]
    assert bound("coved", 0.6, 0.6)[1] == [own, own]
    assert bound("coves", 0.31, 0.3)[1] == [own, own]
    everyday = {"scowl_size": 50, "zipf": 2.0}
    for p, says in ((0.1, True), (0.49, True), (0.5, False), (0.51, False)):  # from 0.5 on it is likely by itself
        assert bound("coved", p, 0.9, **everyday)[1][1] == ("+ its base cove is likely to be accepted" if says else own)


@pytest.mark.parametrize(
    ("base", "coved", "coving", "p", "likeliest"),
    [(0.3, 0.9, 0.7, 0.6, "coved"), (0.3, 0.7, 0.9, 0.6, "coving"), (0.01, 0.04, 0.03, 0.02, "coved")],
)
def test_a_base_takes_from_its_likeliest_form(base, coved, coving, p, likeliest):
    words = lexicon(
        {"word": "cove", "wordnet_pos": "v"},
        *[{"word": form, "lemma": "cove", **FORM} for form in ("coved", "coving")],
    )
    guess = estimates(cove=base, coved=coved, coving=coving)
    found = families.share(guess, NOTHING_TRIED, NONE, families.word_forms(words), NO_SPELLINGS).set_index("word")
    assert found.loc["cove", "p"] == p
    if p >= 0.5:
        assert found.loc["cove", "because"] == f"+ its form {likeliest} is likely to be accepted"


def test_tried_words_and_words_that_people_decided_on_share_nothing():
    assert bound("coved", 0.9, 0.3, kind="record")[0] == [0.3, 0.9]
    assert bound("coved", 0.9, 0.3, judged=("cove",))[0] == [0.3, 0.9]
    assert bound("coved", 0.2, 0.3, judged=("cove",))[0] == [0.3, 0.2]


def test_a_base_that_is_a_form_itself_shares_nothing():
    """*Hoickses* looks like a form of *hoicks*, which is a form of *hoick*."""
    words = lexicon(
        {"word": "hoick", "wordnet_pos": "v"},
        {"word": "hoicks", "lemma": "hoick", **FORM},
        {"word": "hoickses", "lemma": "hoicks", **FORM},
    )
    guess = pd.DataFrame(
        {"word": ["hoick", "hoicks", "hoickses"], "p": [0.2, 0.2, 0.8], "kind": "estimate", "because": "+ a"}
    )
    found = families.share(guess, NOTHING_TRIED, NONE, families.word_forms(words), NO_SPELLINGS)
    assert found["p"].tolist() == [0.2, 0.2, 0.8]


@pytest.mark.parametrize(
    ("word", "family"),
    [
        ("cove", ["coved", "coves"]),
        ("coves", ["cove", "coved"]),
        ("coving", ["cove", "coved", "coves"]),
        ("nook", []),
        ("unheard", []),
    ],
)
def test_a_verdict_is_on_the_family_that_only_estimates_decide(word, family):
    """A puzzle tried *coving*, and *covens* is a noun of its own."""
    rows = [{"word": "cove", "wordnet_pos": "nv"}, {"word": "nook"}]
    rows += [{"word": form, "lemma": "cove", **FORM} for form in ("coved", "coves", "coving")]
    words = lexicon(*rows, {"word": "covens", "lemma": "cove", **FORM, "wordnet_senses": 1})
    by = {"cove": "estimate", "coved": "estimate", "coves": "estimate", "coving": "record", "covens": "estimate"}
    decisions = pd.DataFrame({"word": list(by), "by": list(by.values())})
    assert families.undecided(word, families.word_forms(words), decisions) == family


def test_a_verb_form_with_a_sense_of_its_own_belongs_to_the_family():
    """So a verdict on *cove* decides *coving*, too, but not *coves*."""
    own_sense = {**FORM, "lemma": "cove", "wordnet_senses": 1}
    words = lexicon(
        {"word": "cove", "wordnet_pos": "nv"}, {"word": "coves", **own_sense}, {"word": "coving", **own_sense}
    )
    decisions = pd.DataFrame({"word": ["cove", "coves", "coving"], "by": "estimate"})
    assert families.undecided("cove", families.word_forms(words), decisions) == ["coving"]


def test_the_counts_of_the_rules_are_those_of_the_record(real_run):
    record = pd.read_csv(real_run / "custom/record.csv", keep_default_na=False)
    accepted = dict(zip(record["word"], record["last_accepted"] > record["last_refused"], strict=True))
    words = pd.read_parquet(real_run / "build/lexicon.parquet")
    zipf = dict(zip(words["word"], words["zipf"], strict=True))
    pairs = families.word_forms(words)
    tried = pairs[pairs["form"].isin(accepted) & pairs["base"].isin(accepted)]
    form, base = (tried[side].map(accepted) for side in ("form", "base"))
    not_commoner_than_base = tried["form"].map(zipf) <= tried["base"].map(zipf)
    follows = form[tried["pure"] & not_commoner_than_base & ~base]
    assert [(~follows).sum(), follows.sum()] == [families.FORMS_REFUSED, families.FORMS_ACCEPTED]
    speaking = tried[(tried["pure"] | tried["verbal"]) & form]
    spoken_for = speaking.drop_duplicates("base")["base"].map(accepted)
    assert [spoken_for.sum(), (~spoken_for).sum()] == [families.BASES_ACCEPTED, families.BASES_REFUSED]


def test_a_verb_form_with_a_sense_of_its_own_needs_its_base_and_a_plural_does_not():
    for form, expected in (("coved", ["coved"]), ("coves", [])):
        decisions = pd.DataFrame({"word": [form, "cove"], "tier": ["likely", "review"], "by": "estimate"})
        found = check.split_families(paired(form, "cove", wordnet_senses=1), decisions)
        assert [subject for subject, _ in found] == expected


@pytest.mark.parametrize(
    ("form", "base", "everyday", "subject"),
    [
        ("likely by estimate", "review by estimate", False, "coved"),
        ("likely by estimate", "refused by estimate", False, "coved"),
        ("likely by estimate", "likely by estimate", True, ""),
        ("core by record", "refused by estimate", False, ""),
        ("likely by estimate", "refused by record", False, ""),
        ("likely by estimate", "refused by verdict", False, ""),
        ("review by estimate", "likely by estimate", False, ""),
        ("review by estimate", "likely by estimate", True, "cove"),
        ("refused by estimate", "core by verdict", True, ""),
    ],
)
def test_what_only_estimates_set_apart_is_a_split_family(form, base, everyday, subject):
    size = {"scowl_size": 50, "zipf": 2.0} if everyday else {}
    rows = [(word, *said.split(" by ")) for word, said in (("coved", form), ("cove", base))]
    decisions = pd.DataFrame(rows, columns=["word", "tier", "by"])
    found = check.split_families(paired("coved", "cove", **size), decisions)
    details = {
        "coved": "it is listed, and its base cove is not",
        "cove": "it is listed, and its everyday form coved is not",
    }
    assert list(found) == ([(subject, details[subject])] if subject else []), "family-split"
