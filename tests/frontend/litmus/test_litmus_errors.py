"""Bad litmus tests: the catalogue of messages, with their places."""

from __future__ import annotations

import pytest
from golden_files import check_golden

from hybrid.errors import InputError, Unsupported
from hybrid.frontend.load import parse_litmus
from hybrid.source import Source


def state(text: str) -> str:
    return f"PPC t\n{{ {text} }}\n P0 ;\n nop ;\n"


def code(text: str, initial: str = "0:r1=x;") -> str:
    return f"PPC t\n{{ {initial} }}\n P0 ;\n {text} ;\n"


def final(text: str) -> str:
    return f"PPC t\n{{ 0:r1=x; int a[2]; }}\n P0 ;\n lwz r2,0(r1) ;\n{text}\n"


ERRORS: dict[str, str] = {
    # the text as a whole
    "empty": "",
    "no_name": "PPC\n{}\n P0 ;\n",
    "unknown_architecture": "VAX t\n{}\n P0 ;\n",
    "comment_open": "PPC t\n{ (* what\n}\n P0 ;\n",
    "no_state": "PPC t\n P0 ;\n nop ;\n",
    "state_open": "PPC t\n{ x=1;\n P0 ;\n nop ;\n",
    "state_open_until_the_condition": "PPC t\n{ x=1;\n P0 ;\n nop ;\nexists (x=1)\n",
    "block_open": final("exists x=1\n<<\nshow"),
    # the initial state
    "two_types": state("int int x;"),
    "unknown_type": state("quaternion x;"),
    "wide_type": state("__int128 x;"),
    "value_missing": state("x=;"),
    "value_of_a_register": state("x=0:r1;"),
    "label_as_value": state("0:r1=P1:L0;"),
    "page_table": state("[PTE(x)]=1;"),
    "page_table_entry": state("pte_x=(oa:phy_y, valid:0);"),
    "page_table_entry_as_value": state("0:r1=pte_x;"),
    "page_table_of_levels": state("[TTD(x)]=(oa:PA(y));"),
    "physical_address": state("phy_x=1;"),
    "physical_address_as_value": state("0:r1=PA(x);"),
    "memory_tag": state("[tag(x)]=1;"),
    "colour": state("0:r1=x:red;"),
    "page_table_in_the_condition": final("exists ([PTE(x)]=1)"),
    "page_table_entry_in_the_condition": final("exists (pte_x=1)"),
    "page_table_entry_in_the_code": "X86 t\n{}\n P0 ;\n MOV EAX,[pte_x] ;\n",
    "fault_handler": "AArch64 t\n{}\n P0 | P0.F ;\n NOP | NOP ;\n",
    # languages
    "ptx": "PTX t\n{ x @ global; }\n P0@cta 0, gpu 0 ;\n st.weak x,1 ;\nexists (x=1)\n",
    "vulkan": "VULKAN t\n{ x=0; }\n P0@sg 0,wg 0,qf 0 ;\n st.atom.dv.sc0 x,1 ;\n",
    "opencl": "OPENCL t\n{ [x]=0; }\nP0@wg 0, dev 0 (global atomic_int* x) { }\n",
    "asl": "ASL t\n{}\nfunc main() => integer\nbegin\nend\nforall(true)\n",
    "lisa": "LISA t\n{}\n P0 ;\n r[once] r1 x ;\nexists (0:r1=1)\n",
    "java": "Java t\n{}\nThread0 { }\n",
    "bpf": "BPF t\n{}\n P0 ;\n r0 = *(u32 *)(r1 + 0) ;\n",
    "scoped_thread_of_c": "C t\n{}\nP0@wg 0, dev 0 (int* x) { }\n",
    "linux_once": "C t\n{}\nP0(int *x) { int r0 = READ_ONCE(*x); }\nexists (0:r0=1)\n",
    "linux_type": "C t\n{ spinlock_t l; }\nP0(spinlock_t *l) { spin_lock(l); }\n",
    "linux_rcu": "C t\n{}\nP0() { /* smp_mb() */ rcu_read_lock(); }\n",
    "linux_fence": "C t\n{}\nP0(int *x) { __fence{mb}; }\n",
    "too_large": state("x=18446744073709551616;"),
    "does_not_fit": state("int8_t x=300;"),
    "no_semicolon": state("x=1 y=2;"),
    "declared_twice": state("int x; int x;"),
    "two_values": state("x=1; x=2;"),
    "too_many_values": state("int a[2]={1,2,3};"),
    "too_many_cells": state("int a[100000];"),
    "array_as_a_whole": state("int a[2]; a=1;"),
    "no_array": state("int x={1,2};"),
    "no_thread": state("7:r1=1;"),
    "no_register": state("0:q1=1;"),
    "two_values_of_a_register": state("0:r1=1; 0:r1=2;"),
    "no_cell": state("int a[2]; 0:r1=&a[2];"),
    # columns
    "no_threads": "PPC t\n{}\nexists (x=1)",
    "no_thread_name": "PPC t\n{}\n Q0 ;\n nop ;\n",
    "thread_twice": "PPC t\n{}\n P0 | P0 ;\n nop | nop ;\n",
    "too_many_in_a_row": "PPC t\n{}\n P0 ;\n nop | nop ;\n",
    "too_few_in_a_row": "PPC t\n{}\n P0 | P1 ;\n nop ;\n",
    "row_open": "PPC t\n{}\n P0 ;\n nop\nexists (x=1)",
    "row_open_at_the_end": "PPC t\n{}\n P0 ;\n nop",
    # code
    "unknown_instruction": code("frob r1,r2"),
    "wrong_register": code("lwz r1,0(x9)"),
    "wrong_number": code("li r1,one"),
    "number_too_large": code("li r1,70000"),
    "too_few_operands": code("add r1,r2"),
    "two_forms": code("cmpw r1,9"),
    "operand_missing": code("li r1,"),
    "brackets": code("stw r1,0(r2"),
    "unknown_label": code("b LC0 ;\n LC00:"),
    "label_twice": code("L: nop ;\n L: nop"),
    "mixed_sizes": code("ld r2,0(r1)", "int x; 0:r1=x;"),
    "mixed_sizes_without_a_type": code("ld r2,0(r1) ;\n lwz r3,0(r1)"),
    "x86_widths": "X86 t\n{}\n P0 ;\n MOV EAX,BL ;\n",
    "x86_two_cells": "X86 t\n{}\n P0 ;\n MOV [x],[y] ;\n",
    "x86_lock": "X86 t\n{}\n P0 ;\n LOCK MOV [x],EAX ;\n",
    "x86_order": "X86_64 t\n{}\n P0 ;\n movl (x),$1 ;\n",
    # C
    "c_no_function": "C t\n{}\nint main() {}\n",
    "c_body_open": "C t\n{}\nP0 (int* x) { if (1) {\n",
    "c_function_twice": "C t\n{}\nP0 () {}\nP0 () {}\n",
    # the final part
    "no_quantifier": final("never (x=1)"),
    "no_condition": final("exists"),
    "no_value": final("exists (x=)"),
    "no_comparison": final("exists (x)"),
    "less_than": final("exists (x<1)"),
    "bracket": final("exists (x=1"),
    "two_conditions": final("exists (x=1)\nforall (x=1)"),
    "fault": final("exists (fault(P0,x))"),
    "undefined": final("exists Undef"),
    "condition_no_thread": final("exists (1:r1=1)"),
    "condition_no_register": final("exists (0:EAX=1)"),
    "condition_no_location": final("exists (0:r2=1 /\\ X=0)"),
    "condition_no_address": final("exists (0:r2=aa)"),
    "observed_no_location": final("locations [z;]"),
    "condition_array": final("exists (a=1)"),
    "condition_cell": final("exists (a[2]=1)"),
    "condition_register_as_array": final("exists (0:r1={1,2})"),
    "deep": final("exists " + "(" * 200 + "x=1" + ")" * 200),
    "locations_open": final("locations [x; y"),
    "locations_value": final("locations [&x;]"),
    "two_filters": final("filter x=1 filter x=2"),
    "kinds": final("final x=1 with sc exists"),
    "kinds_mixed": final("final x=1 with sc: forall; default: exists"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_points_into_the_text(name: str) -> None:
    text = ERRORS[name]
    with pytest.raises(InputError) as caught:
        parse_litmus(Source("bad.litmus", text))
    span = caught.value.span
    assert span is not None
    assert 1 <= span.line <= text.count("\n") + 1
    refused = caught.value.message.startswith("unsupported")
    assert isinstance(caught.value, Unsupported) is refused


def test_catalogue() -> None:
    parts: list[str] = []
    for name, text in ERRORS.items():
        with pytest.raises(InputError) as caught:
            parse_litmus(Source("bad.litmus", text))
        parts.append(f"--- {name}\n{caught.value.render()}\n")
    check_golden("litmus/errors.txt", "\n".join(parts))
