# One image a process: docker build --target gateway .   The targets are gateway, text, search, concordance, data and lectern; see docs/deploying.md.
# A digest says more than a version: --build-arg NODE_IMAGE=node:20.20.2-bookworm-slim@sha256:... pins it.
ARG NODE_IMAGE=node:20.20.2-bookworm-slim

FROM ${NODE_IMAGE} AS base
WORKDIR /app
# Nothing that is used here reports home.
ENV NODE_ENV=production APOLLO_TELEMETRY_DISABLED=1 ORT_DISABLE_TELEMETRY=1 HOST=0.0.0.0 LECTERN_DATA=/data
# A new volume that is mounted here takes the folder's owner.
RUN install -d -o 1000 -g 1000 /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

# The manifests by themselves, so that what is installed stays as it is while only sources change.
FROM base AS manifests
COPY . /all
RUN cd /all && cp --parents package.json package-lock.json */package.json */*/package.json /app

# No package's install script runs but SQLite's, which is compiled from the source that the lock file has the digest of, against node's own headers.
FROM base AS modules
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
COPY --from=manifests /app ./
RUN --mount=type=cache,target=/root/.npm \
  npm ci --include=dev --ignore-scripts --no-audit --no-fund && npm_config_build_from_source=true npm_config_nodedir=/usr/local npm rebuild better-sqlite3

FROM modules AS build
COPY . .
RUN TURBO_TELEMETRY_DISABLED=1 node node_modules/turbo/bin/turbo run build --filter=@lectern/standalone --output-logs=errors-only
# Of every room what its process reads: no sources, no tests.
RUN mkdir /rooms && cp -r --parents supergraph.graphql \
  gateway/package.json gateway/dist packages/site/assets \
  packages/*/package.json packages/*/dist packages/words/function-words packages/embeddings/model packages/embeddings/vectors packages/embeddings/workers \
  services/*/package.json services/*/dist services/*/schema.graphql services/text/verse-of-the-day.tsv /rooms

# The dependencies of each process, without those of development and of other rooms. What was compiled is taken over; the lock file would tell
# scanners of packages that are not here.
FROM modules AS gateway-modules
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund -w @lectern/gateway && rm package-lock.json
COPY --from=modules /app/node_modules/better-sqlite3/build/Release/better_sqlite3.node node_modules/better-sqlite3/build/Release/

FROM modules AS text-modules
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund -w @lectern/text && rm package-lock.json
COPY --from=modules /app/node_modules/better-sqlite3/build/Release/better_sqlite3.node node_modules/better-sqlite3/build/Release/

# onnxruntime brings the programs of every platform; those of others are most of its size.
FROM modules AS search-modules
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund -w @lectern/search && rm package-lock.json \
  && find node_modules/onnxruntime-node/bin -type f -not -path "*/linux/$(node -p process.arch)/*" -delete
COPY --from=modules /app/node_modules/better-sqlite3/build/Release/better_sqlite3.node node_modules/better-sqlite3/build/Release/

FROM modules AS concordance-modules
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund -w @lectern/concordance && rm package-lock.json
COPY --from=modules /app/node_modules/better-sqlite3/build/Release/better_sqlite3.node node_modules/better-sqlite3/build/Release/

FROM modules AS standalone-modules
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund -w @lectern/standalone && rm package-lock.json \
  && find node_modules/onnxruntime-node/bin -type f -not -path "*/linux/$(node -p process.arch)/*" -delete
COPY --from=modules /app/node_modules/better-sqlite3/build/Release/better_sqlite3.node node_modules/better-sqlite3/build/Release/

FROM base AS gateway
COPY --from=gateway-modules /app ./
COPY --from=build /rooms/packages/cluster packages/cluster
COPY --from=build /rooms/packages/errors packages/errors
COPY --from=build /rooms/packages/execution packages/execution
COPY --from=build /rooms/packages/keys packages/keys
COPY --from=build /rooms/packages/serving packages/serving
COPY --from=build /rooms/packages/site packages/site
COPY --from=build /rooms/packages/telemetry packages/telemetry
COPY --from=build /rooms/gateway gateway
COPY --from=build /rooms/supergraph.graphql ./
ENV PORT=4000
EXPOSE 4000
USER 1000:1000
CMD ["node", "gateway/dist/main.js"]

FROM base AS text
COPY --from=text-modules /app ./
COPY --from=build /rooms/packages/canon packages/canon
COPY --from=build /rooms/packages/corpus packages/corpus
COPY --from=build /rooms/packages/errors packages/errors
COPY --from=build /rooms/packages/execution packages/execution
COPY --from=build /rooms/packages/data-files packages/data-files
COPY --from=build /rooms/packages/serving packages/serving
COPY --from=build /rooms/packages/subgraph packages/subgraph
COPY --from=build /rooms/packages/telemetry packages/telemetry
COPY --from=build /rooms/packages/words packages/words
COPY --from=build /rooms/services/text services/text
ENV PORT=4001
EXPOSE 4001
USER 1000:1000
CMD ["node", "services/text/dist/main.js"]

FROM base AS search
COPY --from=search-modules /app ./
COPY --from=build /rooms/packages/canon packages/canon
COPY --from=build /rooms/packages/corpus packages/corpus
COPY --from=build /rooms/packages/embeddings packages/embeddings
COPY --from=build /rooms/packages/errors packages/errors
COPY --from=build /rooms/packages/execution packages/execution
COPY --from=build /rooms/packages/data-files packages/data-files
COPY --from=build /rooms/packages/serving packages/serving
COPY --from=build /rooms/packages/subgraph packages/subgraph
COPY --from=build /rooms/packages/telemetry packages/telemetry
COPY --from=build /rooms/packages/words packages/words
COPY --from=build /rooms/services/search services/search
ENV PORT=4002
EXPOSE 4002
USER 1000:1000
CMD ["node", "services/search/dist/main.js"]

FROM base AS concordance
COPY --from=concordance-modules /app ./
COPY --from=build /rooms/packages/canon packages/canon
COPY --from=build /rooms/packages/corpus packages/corpus
COPY --from=build /rooms/packages/errors packages/errors
COPY --from=build /rooms/packages/execution packages/execution
COPY --from=build /rooms/packages/data-files packages/data-files
COPY --from=build /rooms/packages/serving packages/serving
COPY --from=build /rooms/packages/subgraph packages/subgraph
COPY --from=build /rooms/packages/telemetry packages/telemetry
COPY --from=build /rooms/packages/words packages/words
COPY --from=build /rooms/services/concordance services/concordance
ENV PORT=4003
EXPOSE 4003
USER 1000:1000
CMD ["node", "services/concordance/dist/main.js"]

# The texts and what is built from them, ready in the image: it fills a new volume, and brings an old one up to date.
FROM base AS data
RUN apt-get update && apt-get install -y --no-install-recommends sword-text-web sword-text-kjv sword-text-sparv sword-dict-strongs-hebrew sword-dict-strongs-greek \
  && rm -rf /var/lib/apt/lists/*
COPY --from=standalone-modules /app ./
COPY --from=build /rooms ./
HEALTHCHECK NONE
USER 1000:1000
RUN ["node", "packages/standalone/dist/data-main.js"]
CMD ["node", "packages/standalone/dist/data-main.js"]

# The whole service in one process, with its data.
FROM data AS lectern
ENV PORT=4000
EXPOSE 4000
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "packages/standalone/dist/main.js"]
