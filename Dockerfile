# rebut with the compilers of most judges: C, C++, Rust, Python, Java, JavaScript and Go. From the folder with the problems:
#
#     docker build -t rebut https://example.org/rebut.git
#     docker run --rm -v "$PWD:/problems" rebut verify my-problem
#
# Docker's own filter of system calls refuses nothing that the sandbox needs; `docker run rebut doctor` shows its layers.
FROM rust:1-slim-trixie AS build
COPY . /rebut
WORKDIR /rebut
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && cargo build --profile dist --locked

FROM debian:trixie-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends g++ python3 default-jdk-headless nodejs golang-go rustc \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /rebut/target/dist/rebut /usr/local/bin/rebut
# Compiled programs and results; mount a volume here to keep them.
ENV REBUT_CACHE=/var/cache/rebut
RUN mkdir -p /var/cache/rebut && useradd --create-home judge && chown judge /var/cache/rebut
USER judge
WORKDIR /problems
ENTRYPOINT ["rebut"]
