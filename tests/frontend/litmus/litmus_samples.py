"""Small litmus tests that between them use most of the format, for tests of damage and of
printing."""

from __future__ import annotations

PPC = """PPC MP+sync+addr (MPSyncAddr)
"SyncdWW Rfe DpAddrdR Fre"
Cycle=Rfe DpAddrdR Fre SyncdWW
Orig=SyncdWW Rfe DpAddrdR Fre
{
0:r2=x; 0:r4=y; (* addresses (* nested *) *)
P1:r2=y; P1:r4=x; uint64_t z=0x10; int a[2]={1,-1}; int *p=&x; 1:r9=&a[1];
}
 P0           | P1             ;
 li r1,1      | lwz r1,0(r2)   ;
 stw r1,0(r2) | xor r3,r1,r1   ;
 sync         | lwzx r5,r3,r4  ; // comment
 li r3,1      | cmpwi cr1,r1,1 ;
 stw r3,0(r4) | bne cr1,LC00   ;
              | lwarx r6,r0,r9 ;
              | stwcx. r6,r0,r9;
              | LC00: isync    ;
locations [x; 1:r5; a;]
filter (0:r1=1 \\/ ~(x=0))
exists (1:r1=1 /\\ 1:r5=0 /\\ a[0]!=7 => true)
"""

X86 = """X86 SB+lock "locked"
{ x=0; y=0; 0:EAX=1; };
 P0              | P1              ;
 MOV [x],$1      | mov [y],1       ;
 LOCK XADD [z],EAX | xchg [z],EBX  ;
 MOV ECX,[y]     | CMP EBX,$0      ;
                 | JE L            ;
                 | L: MOV ECX,[x]  ;
~exists (0:ECX=0 /\\ 1:ECX=0);
<<
show 0
>>
"""

X86_64 = """X86_64 atomics
{ uint64_t t[2]={1,2}; 0:RAX=t; 0:rbx=1; uint64_t 0:rcx; }
 P0                         ;
 movq 0(%rax,%rbx,8),%rcx   ;
 lock cmpxchgq %rcx,(t)     ;
 movl $1,(y)                ;
final (0:rcx=2) with default: forall; tso: forall;
"""

SAMPLES = {"ppc": PPC, "x86": X86, "x86_64": X86_64}
