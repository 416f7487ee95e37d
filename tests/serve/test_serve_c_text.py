"""C texts that could make the compiler read files are refused before it sees them."""

from __future__ import annotations

import pytest

from hybrid.errors import InputError
from hybrid.serve.bundle import bundled_tests
from hybrid.serve.c_text import check_c_text
from hybrid.source import Source

FILE = '"/etc/passwd"'
HOSTILE = {
    "absolute": f"#include {FILE}",
    "absolute-system": "#include </etc/passwd>",
    "upwards": '#include "../../etc/passwd"',
    "upwards-within": '#include "sys/../../../etc/passwd"',
    "upwards-system": "#include <../../etc/passwd>",
    "by-a-macro": f"#define F {FILE}\n#include F",
    "spaces": f"  #  include\t{FILE}",
    "spliced": f"#inc\\\nlude {FILE}",
    "spliced-twice": f"#\\\n\\\ninclude {FILE}",
    "spliced-after-spaces": f"#inc\\  \nlude {FILE}",
    "spliced-sharp": f"\\\n#include {FILE}",
    "old-line-ends": f"int x;\r#include {FILE}\rint y;",
    "comment-before": f"/* a */ #include {FILE}",
    "comment-within": f"# /* a */ include {FILE}",
    "comment-of-two-lines": f"#/*\n*/include {FILE}",
    "comment-of-many-lines": f"#/*\n\n */ /* */ include {FILE}",
    "comment-ends-first": f"/*\n# foo */ # include {FILE}",
    "digraph": f"%:include {FILE}",
    "trigraph": f"??=include {FILE}",
    "trigraph-splice": f"#inc??/\nlude {FILE}",
    "trigraph-hides": f"// ??/\n#include {FILE}",
    "byte-order-mark": f"\ufeff#include {FILE}",
    "no-break-space": f"\u00a0#include {FILE}",
    "odd-space": f"\u180e#include {FILE}",
    "escape": f"#\\u0069nclude {FILE}",
    "form-feed": f"\f#include {FILE}",
    "nul": f"\0#include {FILE}",
    "in-a-comment": f"// as in\n/*\n#include {FILE}\n*/",
    "include-next": "#include_next <stdio.h>",
    "import": f"#import {FILE}",
    "embed": f"const char a[] = {{\n#embed {FILE}\n}};",
    "line": f"#line 1 {FILE}",
    "line-marker": f"# 1 {FILE}",
    "line-marker-after-comment": f"#/*\n*/ 1 {FILE}",
    "has-include": f"#if __has_include({FILE})\n#endif",
    "has-include-put-together": f"#define P(a, b) a##b\n#if P(__has_, include)({FILE})\n#endif",
    "has-include-by-digraph": "#define P(a, b) a%:%:b",
    "has-include-by-a-header": f"#if __CONCAT(__has_, include)({FILE})\n#endif",
    "has-embed": f"#if __has_embed({FILE})\n#endif",
    "pragma-dependency": f"#pragma GCC dependency {FILE}",
    "pragma-alias": f'#pragma include_alias("a.h", {FILE})',
    "pragma-operator": '_Pragma("GCC dependency \\"/etc/passwd\\"")',
    "flags-include": "//@ flags -include /etc/passwd",
    "flags-include-joined": "//@ flags -include/etc/passwd",
    "flags-folder": "//@ flags -I/etc",
    "flags-quotes": "//@ flags -iquote /etc",
    "flags-system": "//@ flags -isystem/etc",
    "flags-define": '//@ flags -DH=__has_in""clude',
    "flags-plugin": "//@ flags -fplugin=/tmp/a.so",
    "flags-file": "//@ flags @/etc/passwd",
    "flags-linker": "//@ flags -Wl,/etc/passwd",
    "flags-output": "//@ flags -o/tmp/x",
    "flags-modules": "//@ flags -fmodules",
}
HARMLESS = (
    '#include <stdatomic.h>\n#include <sys/types.h> // of the system\n#include "queue.h"\n',
    "# include <assert.h> /* asserts */\n",
    "#pragma once\n#pragma STDC FP_CONTRACT ON\n#pragma GCC diagnostic push\n",
    "#define N 3\n#if N > 2\n#endif\n#define SHOW(x) #x\n",
    "//@ flags -DN=3 -O2 -std=c11 -Wall\n//@ expect rc20: HOLDS\nint main(void) { return 0; }\n",
    "/* includes nothing */ int include = 1, line = 2;\nint import;\n",
    'const char *a = "#1", *b = "# include";\n',
    "",
)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_could_name_a_file_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        check_c_text(Source("t.c", f"int before;\n{text}\nint main(void) {{ return 0; }}\n"))


@pytest.mark.parametrize("name", ["absolute", "spliced", "digraph", "line-marker", "import"])
def test_it_says_where(name: str) -> None:
    with pytest.raises(InputError) as caught:
        check_c_text(Source("t.c", f"int before;\n\n{HOSTILE[name]}\n"))
    span = caught.value.span
    assert span is not None and (span.line, span.column) == (3, 1)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_names_headers_is_taken(text: str) -> None:
    check_c_text(Source("t.c", text))


def test_all_bundled_programs_are_taken() -> None:
    paths = [path for path in bundled_tests().values() if path.suffix == ".c"]
    assert len(paths) > 100
    for path in paths:
        check_c_text(Source(path.name, path.read_text(encoding="utf-8")))
