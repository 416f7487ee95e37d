# Everything runs in .venv, which the first target that needs it sets up: READY has hybrid, DEV also
# what its tests need, a C compiler among it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEV := $(VENV)/.dev
# errors are shown; what does not matter inside a virtual environment is not
CALM := --quiet --quiet --disable-pip-version-check
COMPILED := build/compiled
KERNEL := build/kernel
KERNEL_TESTS := tests/test_compiled.py tests/execution tests/oracle tests/engine \
  tests/parallel/test_processes.py
SOURCES := pyproject.toml hatch_build.py $(shell find hybrid -name '*.py')
MODELS := sc tso pso ra rc11 power
COUNT ?= 5000
C_COUNT ?= 500
ARCHITECTURES := PPC X86 AArch64 RISCV C
CORPUS ?= ../shared/corpus
JOBS ?= 1

.PHONY: demo check test lint bench fuzz fuzz-c interleavings mutations c-mutations corpus
.PHONY: auto corpus-equal corpus-mutations drawings bundle wheel compiled bench-compiled
.PHONY: test-compiled test-kernel results results-c results-godot results-estimates results-kernel
.PHONY: counts clean

demo: $(READY)
	@$(BIN)/hybrid demo

# The quick tests: all but those marked large. At most a minute on two cores.
check: $(DEV)
	$(BIN)/pytest -n auto -m "not large"

# All tests; and those of engines and oracles once more with the compiled kernel, where it can be.
test: $(DEV)
	$(BIN)/pytest -n auto
	@if why=$$($(BIN)/python hatch_build.py 2>&1); then $(MAKE) test-kernel; else \
	  echo "The tests of the compiled kernel are left out: $$why"; fi

# The compiled package is found before the one here, which is installed as editable. Tests run in
# its folder, so that processes that they start find it too.
test-kernel: $(KERNEL)/.ready
	cd $(KERNEL) && export PYTHONPATH=$(abspath $(KERNEL)) && \
	  $(abspath $(BIN))/python -c "from hybrid.compiled import is_compiled as c; assert c()" && \
	  $(abspath $(BIN))/pytest -n auto $(abspath $(KERNEL_TESTS))

lint: $(DEV)
	$(BIN)/ruff check hybrid tests hatch_build.py
	$(BIN)/ruff format --check hybrid tests hatch_build.py
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/hybrid bench rsmc

# Engines against each other on random programs, COUNT for each model: some minutes per model.
fuzz: $(READY)
	for model in $(MODELS); do \
	  $(BIN)/hybrid fuzz --engines rsmc,enumerate --model $$model --count $(COUNT) --seed 1 || exit; \
	done

# Random programs against the C that they are written as, C_COUNT for each model.
fuzz-c: $(DEV)
	for model in sc rc11 rc20 power; do \
	  $(BIN)/hybrid fuzz --language c --model $$model --count $(C_COUNT) --seed 1 || exit; \
	done

# odpor against a plain search over all interleavings, and under tso and pso against trust: twenty
# thousand random programs, five thousand for each of the latter. An hour or two.
interleavings: $(DEV)
	HYBRID_INTERLEAVINGS=20000 $(BIN)/pytest -n auto tests/engine/test_odpor.py \
	  tests/engine/test_odpor_buffers.py

# Ten thousand damaged programs and as many damaged models, end to end.
mutations: $(DEV)
	HYBRID_MUTATIONS=10000 $(BIN)/pytest -n auto tests/test_mutations.py

# The same for C: ten thousand damaged texts of LLVM's language, five hundred of C. Some minutes.
c-mutations: $(DEV)
	HYBRID_MUTATIONS=10000 $(BIN)/pytest -n auto tests/test_c_mutations.py

# Litmus tests with known answers: every folder of CORPUS with its expected.csv, by JOBS processes.
corpus: $(READY) corpus-there
	$(BIN)/hybrid verify $(CORPUS) --format summary --timeout 60 -j $(JOBS)

# The same PPC tests by three engines that share no reasoning: their traces must be equal.
corpus-equal: $(READY) corpus-there
	$(BIN)/hybrid crosscheck $(CORPUS)/ppc --engines enumerate,rsmc,bmc:sat --table -j $(JOBS)

# Ten thousand damaged tests of it: an input error or an answer, within the time limit.
corpus-mutations: $(DEV) corpus-there
	HYBRID_MUTATIONS=10000 HYBRID_CORPUS=$(CORPUS) $(BIN)/pytest -n auto tests/test_litmus_mutations.py

.PHONY: corpus-there
corpus-there:
	@test -d $(CORPUS) || \
	  { echo "no corpus: there is no folder $(CORPUS); CORPUS=… names another" >&2; exit 1; }

# The executions that answer all bundled programs, drawn: nothing may cover a label. Some minutes.
drawings: $(DEV)
	HYBRID_DRAWINGS=all $(BIN)/pytest -n auto tests/witness/test_bundled_drawings.py

# All bundled programs under all models: --engine auto answers as each engine that takes them. With
# AUTO=7 one program and model in seven. The whole takes hours.
AUTO ?= all
auto: $(DEV)
	HYBRID_AUTO=$(AUTO) $(BIN)/pytest -n auto tests/catalogue/test_auto_answers.py

# Bundled programs: the models of their formulas, decoded, are the traces. Some minutes; see
# docs/certificates.md for those left out.
.PHONY: formulas
formulas: $(DEV)
	HYBRID_FORMULAS=all $(BIN)/pytest -n auto tests/certificate/test_formulas.py \
	  tests/certificate/test_bundled_formulas.py

# The litmus tests of each architecture in litmus/, with the answers on which all engines agree:
# some minutes.
bundle: $(READY)
	for arch in $(ARCHITECTURES); do \
	  folder=litmus/$$(echo $$arch | tr A-Z a-z); \
	  rm -f $$folder/*.litmus; \
	  $(BIN)/hybrid generate --arch $$arch --bundle -o $$folder --expected -j $(JOBS) || exit; \
	done

# A wheel in dist/: with a compiled kernel for this machine where there is a C compiler, else pure
# Python. HYBRID_COMPILE=always|never chooses.
wheel: $(READY)
	$(BIN)/pip wheel $(CALM) --no-deps --wheel-dir dist .
	@ls dist

# The same with the kernel compiled by mypyc (pyproject.toml lists its files), in a separate virtual
# environment: $(COMPILED)/bin/hybrid.
compiled: $(COMPILED)/.ready

bench-compiled: $(COMPILED)/.ready
	$(COMPILED)/bin/hybrid bench trust

# From another folder, so that the compiled package is found and not the one here.
test-compiled: $(COMPILED)/.ready
	rm -rf $(COMPILED)/tree && mkdir $(COMPILED)/tree
	cp -r tests docs litmus encodings results README.md pyproject.toml Makefile $(COMPILED)/tree
	cd $(COMPILED)/tree && ../bin/pytest -n auto

$(COMPILED)/.ready: $(SOURCES)
	$(PYTHON) -m venv --clear $(COMPILED)
	HYBRID_COMPILE=always $(COMPILED)/bin/pip install $(CALM) '.[dev]'
	touch $@

# The compiled package alone, for what is in .venv.
$(KERNEL)/.ready: $(DEV) $(SOURCES)
	@echo "Compiling the kernel, which takes a minute or two …"
	@rm -rf $(KERNEL)
	@HYBRID_COMPILE=always $(BIN)/pip install $(CALM) --no-deps --no-build-isolation \
	  --target $(KERNEL) .
	@touch $@

# The tables in results/; each names its command, machine, kernel and date. Nothing else should run
# meanwhile: up to ten minutes.
results: $(DEV) $(COMPILED)/.ready
	$(BIN)/python results/make.py $(BIN)/hybrid $(COMPILED)/bin/hybrid

# What an execution costs on programs of the literature, Table 1 of TruSt's paper, and how many
# workers of a cluster are kept busy: results/kernel.*, table1.txt, cluster-simulation.txt. Nothing
# else should run meanwhile: about a quarter of an hour.
results-kernel: $(DEV) $(COMPILED)/.ready
	$(BIN)/python results/kernel_tables.py $(COMPILED)/bin/hybrid
	$(COMPILED)/bin/python results/cluster_simulation.py

# The numbers of traces in litmus/generated.csv, by two engines at least, and then, with more time,
# those of larger sizes: an hour or two. What is there stays if FRESH= is empty.
FRESH ?= yes
counts: $(COMPILED)/.ready
	$(if $(FRESH),$(COMPILED)/bin/python results/generated_counts.py)
	$(COMPILED)/bin/python results/generated_counts.py --missing --limit 300 --few 15000

# The tables of the C programs: every program by every engine, some hours; known numbers.
results-c: $(DEV)
	$(BIN)/python results/c_programs.py $(BIN)/hybrid
	$(BIN)/python results/c_counts.py $(BIN)/hybrid

# Estimates of the number of executions after 1 % of them: some minutes.
results-estimates: $(DEV)
	$(BIN)/python results/estimates.py $(BIN)/hybrid

# Tables I and II of "Awaiting for Godot", and the bug of safestack: about half an hour.
results-godot: $(DEV) $(COMPILED)/.ready
	$(BIN)/python results/godot_tables.py $(COMPILED)/bin/hybrid
	$(BIN)/python results/godot_tables.py $(COMPILED)/bin/hybrid --engines
	$(BIN)/python results/godot_tables.py $(COMPILED)/bin/hybrid --bug

# Certificates of all bundled programs, and of those of CORPUS: an hour or two.
.PHONY: results-certificates
results-certificates: $(DEV)
	$(BIN)/python results/certificates.py
	$(BIN)/python results/certificates.py --corpus $(CORPUS)

$(READY): pyproject.toml
	@echo "Installing into $(VENV), which takes a minute …"
	@$(PYTHON) -m venv $(VENV)
	@HYBRID_COMPILE=never $(BIN)/pip install $(CALM) --editable .
	@touch $@

$(DEV): $(READY)
	@echo "Installing what the tests need …"
	@HYBRID_COMPILE=never $(BIN)/pip install $(CALM) --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
