FROM node:24-bookworm-slim AS build
WORKDIR /castellan
COPY package.json package-lock.json tsconfig.json tsconfig.build.json build.js ./
COPY src ./src
COPY commands ./commands
COPY workers ./workers
RUN npm ci && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
# Threads share two pools of memory; with one each the process keeps some 50 MB more than it uses.
ENV NODE_ENV=production DATA_DIR=/data MALLOC_ARENA_MAX=2
WORKDIR /castellan
COPY --from=build /castellan/package.json ./
COPY --from=build /castellan/node_modules ./node_modules
COPY --from=build /castellan/dist ./dist
COPY src/api/http/approval-page ./src/api/http/approval-page
COPY src/api/http/reference ./src/api/http/reference
COPY src/sandbox/page ./src/sandbox/page
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4680
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD node -e "fetch('http://127.0.0.1:' + (process.env.PORT || 4680) + '/healthcheck').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
CMD ["node", "dist/src/main.js", "start"]
