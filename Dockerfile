# Builds one image per process: docker build --target gateway .
# The gateway's image has no supergraph: SUPERGRAPH names a file or a URL.
# The targets are gateway, each subgraph of supergraph.yaml, mcp, data and lectern. See docs/run.md#containers.
# For another base image, such as a mirror's: --build-arg NODE_IMAGE=... The workflow base-image.yml adds the digest.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS base
WORKDIR /app
# Turns off the telemetry of Apollo and ONNX Runtime.
ENV NODE_ENV=production APOLLO_TELEMETRY_DISABLED=1 ORT_DISABLE_TELEMETRY=1 HOST=0.0.0.0 LECTERN_DATA=/data
# `npm start` sets the same limits for the memory of glibc: see packages/serving/src/memory.ts. No
# limit is set for the heap, because node limits the heap to half of the container's memory.
ENV MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072
# A new volume mounted at /data takes over the owner of this folder.
RUN install -d -o 1000 -g 1000 /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

# Contains only the package.json files, so that Docker reuses the installed modules if only sources change.
FROM base AS manifests
COPY . /all
RUN cd /all && cp --parents package.json package-lock.json */package.json */*/package.json /app

# Installs what the build needs. Only better-sqlite3 runs an install script: it is compiled from its locked source,
# against the headers of this image's node.
FROM base AS modules
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
COPY --from=manifests /app ./
RUN --mount=type=cache,target=/root/.npm \
  npm ci --include=dev --include-workspace-root -w @lectern/standalone -w @lectern/mcp --ignore-scripts --no-audit --no-fund \
  && npm_config_build_from_source=true npm_config_nodedir=/usr/local npm_config_jobs=max npm rebuild better-sqlite3

FROM modules AS build
COPY . .
RUN TURBO_TELEMETRY_DISABLED=1 node node_modules/turbo/bin/turbo run build --filter=@lectern/standalone --filter=@lectern/mcp --output-logs=errors-only
# Collects the files that the processes read at run time, without sources and tests.
RUN mkdir /built && cp -r --parents supergraph.graphql \
  gateway/package.json gateway/dist packages/site/assets \
  packages/*/package.json packages/*/dist packages/canon/book-names packages/canon/named-passages packages/canon/numberings packages/canon/sayings.tsv packages/canon/number-words.tsv packages/canon/reference-words.tsv packages/corpus/versifications.tsv packages/words/function-words packages/words/forms packages/words/ordinary-words packages/embeddings/model packages/embeddings/vectors packages/embeddings/workers gateway/workers \
  services/*/package.json services/*/dist services/*/schema.graphql services/originals/*.tsv services/text/verse-of-the-day.tsv services/study/computed-references.tsv services/search/synonyms services/search/needs.tsv services/search/questions.txt services/search/query-kinds/query-kinds.json services/search/query-kinds/distress-words.tsv services/search/vectors /built

# The production dependencies of each process. The compiled better-sqlite3 is copied from `modules`.
# The lock file is removed, because scanners would report its packages as installed.
FROM modules AS gateway-modules
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund -w @lectern/gateway && rm package-lock.json
COPY --from=modules /app/node_modules/better-sqlite3/build/Release/better_sqlite3.node node_modules/better-sqlite3/build/Release/

FROM modules AS text-modules
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund -w @lectern/text && rm package-lock.json
COPY --from=modules /app/node_modules/better-sqlite3/build/Release/better_sqlite3.node node_modules/better-sqlite3/build/Release/

# onnxruntime-node contains the libraries of all platforms. The libraries of other platforms are removed.
FROM modules AS search-modules
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund -w @lectern/search && rm package-lock.json \
  && find node_modules/onnxruntime-node/bin -type f -not -path "*/linux/$(node -p process.arch)/*" -delete
COPY --from=modules /app/node_modules/better-sqlite3/build/Release/better_sqlite3.node node_modules/better-sqlite3/build/Release/

FROM modules AS concordance-modules
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund -w @lectern/concordance && rm package-lock.json
COPY --from=modules /app/node_modules/better-sqlite3/build/Release/better_sqlite3.node node_modules/better-sqlite3/build/Release/

FROM modules AS study-modules
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund -w @lectern/study && rm package-lock.json
COPY --from=modules /app/node_modules/better-sqlite3/build/Release/better_sqlite3.node node_modules/better-sqlite3/build/Release/

FROM modules AS originals-modules
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund -w @lectern/originals && rm package-lock.json
COPY --from=modules /app/node_modules/better-sqlite3/build/Release/better_sqlite3.node node_modules/better-sqlite3/build/Release/

FROM modules AS mcp-modules
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund -w @lectern/mcp && rm package-lock.json

FROM modules AS standalone-modules
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund -w @lectern/standalone && rm package-lock.json \
  && find node_modules/onnxruntime-node/bin -type f -not -path "*/linux/$(node -p process.arch)/*" -delete
COPY --from=modules /app/node_modules/better-sqlite3/build/Release/better_sqlite3.node node_modules/better-sqlite3/build/Release/

FROM base AS gateway
COPY --from=gateway-modules /app ./
COPY --from=build /built/packages/canon packages/canon
COPY --from=build /built/packages/errors packages/errors
COPY --from=build /built/packages/execution packages/execution
COPY --from=build /built/packages/keys packages/keys
COPY --from=build /built/packages/serving packages/serving
COPY --from=build /built/packages/site packages/site
COPY --from=build /built/packages/telemetry packages/telemetry
COPY --from=build /built/gateway gateway
ENV PORT=4000
EXPOSE 4000
USER 1000:1000
CMD ["node", "gateway/dist/main.js"]

FROM base AS text
COPY --from=text-modules /app ./
COPY --from=build /built/packages/canon packages/canon
COPY --from=build /built/packages/corpus packages/corpus
COPY --from=build /built/packages/errors packages/errors
COPY --from=build /built/packages/execution packages/execution
COPY --from=build /built/packages/data-files packages/data-files
COPY --from=build /built/packages/verse-layout packages/verse-layout
COPY --from=build /built/packages/serving packages/serving
COPY --from=build /built/packages/subgraph packages/subgraph
COPY --from=build /built/packages/telemetry packages/telemetry
COPY --from=build /built/packages/words packages/words
COPY --from=build /built/services/text services/text
ENV PORT=4001 OFFLINE_PORT=4010
EXPOSE 4010
EXPOSE 4001
USER 1000:1000
CMD ["node", "services/text/dist/main.js"]

FROM base AS search
COPY --from=search-modules /app ./
COPY --from=build /built/packages/canon packages/canon
COPY --from=build /built/packages/corpus packages/corpus
COPY --from=build /built/packages/embeddings packages/embeddings
COPY --from=build /built/packages/errors packages/errors
COPY --from=build /built/packages/execution packages/execution
COPY --from=build /built/packages/data-files packages/data-files
COPY --from=build /built/packages/verse-layout packages/verse-layout
COPY --from=build /built/packages/reference-works packages/reference-works
COPY --from=build /built/packages/serving packages/serving
COPY --from=build /built/packages/subgraph packages/subgraph
COPY --from=build /built/packages/telemetry packages/telemetry
COPY --from=build /built/packages/words packages/words
COPY --from=build /built/services/search services/search
ENV PORT=4002
EXPOSE 4002
USER 1000:1000
CMD ["node", "services/search/dist/main.js"]

FROM base AS concordance
COPY --from=concordance-modules /app ./
COPY --from=build /built/packages/canon packages/canon
COPY --from=build /built/packages/corpus packages/corpus
COPY --from=build /built/packages/errors packages/errors
COPY --from=build /built/packages/execution packages/execution
COPY --from=build /built/packages/data-files packages/data-files
COPY --from=build /built/packages/verse-layout packages/verse-layout
COPY --from=build /built/packages/serving packages/serving
COPY --from=build /built/packages/subgraph packages/subgraph
COPY --from=build /built/packages/telemetry packages/telemetry
COPY --from=build /built/packages/words packages/words
COPY --from=build /built/services/concordance services/concordance
ENV PORT=4003
EXPOSE 4003
USER 1000:1000
CMD ["node", "services/concordance/dist/main.js"]

FROM base AS study
COPY --from=study-modules /app ./
COPY --from=build /built/packages/canon packages/canon
COPY --from=build /built/packages/corpus packages/corpus
COPY --from=build /built/packages/errors packages/errors
COPY --from=build /built/packages/execution packages/execution
COPY --from=build /built/packages/data-files packages/data-files
COPY --from=build /built/packages/verse-layout packages/verse-layout
COPY --from=build /built/packages/reference-works packages/reference-works
COPY --from=build /built/packages/serving packages/serving
COPY --from=build /built/packages/subgraph packages/subgraph
COPY --from=build /built/packages/telemetry packages/telemetry
COPY --from=build /built/packages/words packages/words
COPY --from=build /built/services/study services/study
ENV PORT=4004
EXPOSE 4004
USER 1000:1000
CMD ["node", "services/study/dist/main.js"]

FROM base AS originals
COPY --from=originals-modules /app ./
COPY --from=build /built/packages/canon packages/canon
COPY --from=build /built/packages/corpus packages/corpus
COPY --from=build /built/packages/data-files packages/data-files
COPY --from=build /built/packages/errors packages/errors
COPY --from=build /built/packages/execution packages/execution
COPY --from=build /built/packages/reference-works packages/reference-works
COPY --from=build /built/packages/serving packages/serving
COPY --from=build /built/packages/subgraph packages/subgraph
COPY --from=build /built/packages/telemetry packages/telemetry
COPY --from=build /built/packages/verse-layout packages/verse-layout
COPY --from=build /built/packages/words packages/words
COPY --from=build /built/services/originals services/originals
ENV PORT=4005
EXPOSE 4005
USER 1000:1000
CMD ["node", "services/originals/dist/main.js"]

# The MCP server over HTTP. LECTERN_URL is the GraphQL endpoint of a gateway.
FROM base AS mcp
COPY --from=mcp-modules /app ./
COPY --from=build /built/packages/client packages/client
COPY --from=build /built/packages/errors packages/errors
COPY --from=build /built/packages/mcp packages/mcp
COPY --from=build /built/packages/serving packages/serving
COPY --from=build /built/packages/telemetry packages/telemetry
ENV PORT=4020
EXPOSE 4020
USER 1000:1000
CMD ["node", "packages/mcp/dist/main.js", "--http"]

# Contains the texts and indexes. A container of this image fills a new volume and updates an old one.
FROM base AS data
RUN apt-get update && apt-get install -y --no-install-recommends sword-text-web sword-text-kjv sword-text-sparv sword-dict-strongs-hebrew sword-dict-strongs-greek \
  sword-dict-naves sword-comm-mhcc sword-comm-scofield sword-comm-tdavid bibledit-data \
  && rm -rf /var/lib/apt/lists/*
COPY --from=standalone-modules /app ./
COPY --from=build /built ./
HEALTHCHECK NONE
USER 1000:1000
RUN ["node", "packages/standalone/dist/data-main.js"]
CMD ["node", "packages/standalone/dist/data-main.js"]

# The whole service in one process, including its data.
FROM data AS lectern
ENV PORT=4000
EXPOSE 4000
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "packages/standalone/dist/main.js"]
