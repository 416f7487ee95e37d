"""The program and the model of a certificate: put into it as texts, and read from these alone.

Nothing outside the certificate is read: no source of a C program, no included file, no compiler is
needed. Of a C program the certificate has the text in LLVM's language that the compiler made.
"""

from __future__ import annotations

from pathlib import PurePath

from hybrid.certificate.claim import Subject
from hybrid.certificate.manifest import (
    LITMUS,
    LLVM,
    PROG,
    Manifest,
    ModelRecord,
    ProgramRecord,
)
from hybrid.certificate.store import Files
from hybrid.data import MODEL_EXTENSION, STDLIB, bundled
from hybrid.engine.api import Limits
from hybrid.engine.prepare import prepared
from hybrid.errors import InputError
from hybrid.files import TEXT_BYTES, read_bytes, size
from hybrid.frontend.compiler_options import SOURCE_BYTES
from hybrid.frontend.load import parse_litmus
from hybrid.frontend.prog import parse_program
from hybrid.model.core import Model, ModelTexts
from hybrid.model.read import model_of_texts, read_text
from hybrid.program.c11 import C_SOURCE
from hybrid.program.machine_map import map_program
from hybrid.program.program import Program
from hybrid.source import Source

# ---- putting them in


def record_program(program: Program, clang: str | None, files: dict[str, bytes]) -> ProgramRecord:
    """Adds the texts of a program that was read from a file."""
    if program.arch != C_SOURCE:
        kind = LITMUS if program.arch else PROG
        name = f"program.{kind}"
        files[name] = program.threads[0].span.source.text.encode()
        return ProgramRecord(program.name, kind, (name,))
    from hybrid.frontend.c.compiled import compile_again
    from hybrid.frontend.c.provenance import COMPILER, sources_of

    made = compile_again(program, clang)
    names = [f"program-{i}.ll" for i in range(len(made.texts))]
    files.update({name: text.encode() for name, text in zip(names, made.texts, strict=True)})
    sources: list[tuple[str, str]] = []
    for i, (source, _) in enumerate(sources_of(program.meta)):
        name = f"source-{i}.txt"
        files[name] = read_bytes(source, SOURCE_BYTES)
        sources.append((source, name))
    compiler = program.meta.get(COMPILER, "")
    return ProgramRecord(program.name, LLVM, tuple(names), made.recursion, compiler, tuple(sources))


def record_model(model: Model, files: dict[str, bytes]) -> ModelRecord:
    """Adds the texts of a model."""
    texts = model.texts
    if texts is None:
        raise InputError(
            f"no certificate: the model {model.name} includes two files by the same name"
        )
    names = [f"include-{i}.cat" for i in range(len(texts.files))]
    files["model.cat"] = texts.main.encode()
    files["stdlib.cat"] = texts.stdlib.encode()
    files.update({name: text.encode() for name, text in zip(names, texts.files, strict=True)})
    return ModelRecord(model.name, "model.cat", "stdlib.cat", tuple(names), texts.includes)


# ---- reading them


def read_subject(manifest: Manifest, files: Files, deadline: float | None = None) -> Subject:
    """The program and the model that a certificate speaks of; an InputError where its texts make
    none."""
    options = manifest.options
    model = _model(manifest.model, files)
    program = _program(manifest.program, files)
    if options.mapped:
        if options.mapped != model.machine:
            raise InputError(
                f"the program is mapped to {options.mapped}, the model is of "
                f"{model.machine or 'no machine'}"
            )
        program = map_program(program, options.mapped)
    if options.loops:
        program = prepared(program, model, options.loops[0])
        if program.loops != options.loops:
            raise InputError("the loops of the program were treated in another way than it says")
    limits = Limits(options.unroll, deadline, options.max_steps)
    return Subject(program, model, limits, options.races, options.liveness)


def changed_files(model: Model) -> list[str]:
    """Of the files on which the model builds, those that have the name of one of hybrid's own and
    another text."""
    texts = model.texts
    if texts is None:
        return []
    built_on = {f"{STDLIB}{MODEL_EXTENSION}": texts.stdlib}
    built_on |= {str(PurePath(name)): texts.files[place] for name, place in texts.includes}
    return [name for name, text in built_on.items() if _own_text(name) not in (None, text)]


def _own_text(name: str) -> str | None:
    """None where hybrid has no such file."""
    if PurePath(name).name != name or PurePath(name).suffix != MODEL_EXTENSION:
        return None
    own = bundled("encodings")
    found = [path for path in (own / name, own / "include" / name) if path.is_file()]
    return read_text(found[0]).text if found else None


def text_of(files: Files, name: str, most: int = TEXT_BYTES) -> str:
    """A text of the certificate."""
    data = data_of(files, name)
    if len(data) > most:
        raise InputError(f"{name} has more than {size(most)}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8 text") from None


def data_of(files: Files, name: str) -> bytes:
    if name not in files:
        raise InputError(f"there is no file {name!r} in the certificate")
    return files[name]


def _model(record: ModelRecord, files: Files) -> Model:
    included = tuple(text_of(files, name) for name in record.files)
    main, stdlib = text_of(files, record.file), text_of(files, record.stdlib)
    return model_of_texts(ModelTexts(main, stdlib, included, record.includes), record.name)


def _program(record: ProgramRecord, files: Files) -> Program:
    if record.kind == LLVM:
        from hybrid.frontend.c.compiled import LlvmProgram, program_of_llvm

        texts = tuple(text_of(files, name, SOURCE_BYTES) for name in record.files)
        sources = {
            name: Source(name, data_of(files, file).decode("utf-8", "replace"))
            for name, file in record.sources
        }
        return program_of_llvm(LlvmProgram(record.name, texts, record.recursion), sources)
    parse = parse_litmus if record.kind == LITMUS else parse_program
    return parse(Source(f"{record.name}.{record.kind}", text_of(files, record.files[0])))
