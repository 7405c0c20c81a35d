# The built files are the same for every architecture, so the first stage runs on the builder's own.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS build
WORKDIR /castellan
COPY package.json package-lock.json ./
COPY packages/client/package.json ./packages/client/
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json build.js build-pages.js ./
COPY src ./src
COPY commands ./commands
COPY workers ./workers
RUN node build.js && mkdir data

FROM node:24-bookworm-slim
# Threads share two memory pools; with a pool each, the process uses some 50 MB more.
ENV NODE_ENV=production DATA_DIR=/data MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072
# A container's own loopback is unreachable from outside. The sandbox stays there, because visitors can act as anyone.
ENV HOST=0.0.0.0 CONSOLE_HOST=0.0.0.0 METRICS_HOST=0.0.0.0
WORKDIR /castellan
COPY --from=build /castellan/package.json ./
# The bundles in dist contain the other libraries (see build.js), and dist/THIRD-PARTY.txt their licences.
COPY --from=build /castellan/node_modules/@electric-sql/pglite ./node_modules/@electric-sql/pglite
COPY --from=build /castellan/node_modules/tiny-secp256k1 ./node_modules/tiny-secp256k1
COPY --from=build /castellan/node_modules/uint8array-tools ./node_modules/uint8array-tools
COPY --from=build /castellan/node_modules/piscina ./node_modules/piscina
COPY --from=build /castellan/node_modules/@resvg/resvg-wasm ./node_modules/@resvg/resvg-wasm
COPY --from=build /castellan/dist ./dist
COPY docs/reference/authentication.md ./docs/reference/authentication.md
COPY src/drawing/fonts ./src/drawing/fonts
COPY deploy/systemd/castellan-backup ./deploy/systemd/castellan-backup
COPY LICENSE ./LICENSE
COPY LICENSE.Unicode-3.0.txt ./LICENSE.Unicode-3.0.txt
COPY --from=build --chown=node:node /castellan/data /data
USER node
VOLUME /data
# The embedded network with the probes, and the console.
EXPOSE 4680 4682
HEALTHCHECK --interval=30s --timeout=3s --start-period=60s \
  CMD node -e "fetch('http://127.0.0.1:' + (process.env.PORT || 4680) + '/healthcheck').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
# Example: docker run castellan doctor
ENTRYPOINT ["node", "--v8-pool-size=1", "--max-semi-space-size=4", "dist/src/main.js"]
CMD ["start"]
