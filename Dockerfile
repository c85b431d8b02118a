# One process of the service. Configure it by environment variables (docs/OPERATIONS.md). The image contains no secrets.
#   docker build --tag reliability-score .

# Dependencies change less often than the sources, so they have separate layers.
FROM node:24-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/cli/package.json packages/cli/
COPY packages/client/package.json packages/client/
COPY packages/console/package.json packages/console/
COPY packages/proof/package.json packages/proof/
COPY packages/scoring/package.json packages/scoring/
COPY packages/service/package.json packages/service/
COPY bench/package.json bench/

FROM manifests AS production
# The console is built here; what builds it stays out of the image.
RUN npm ci --omit=dev --no-audit --no-fund --workspace packages/cli --workspace packages/client --workspace packages/console --workspace packages/proof --workspace packages/scoring --workspace packages/service
COPY packages packages
# The guides, which the service shows at /docs.
COPY docs docs
RUN node packages/cli/bundle.mjs && rm -r node_modules/esbuild node_modules/@esbuild node_modules/vite node_modules/rolldown node_modules/@rolldown node_modules/lightningcss*

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
# /data holds the embedded database, or with DATABASE_URL the file first-keys.
RUN mkdir --mode=700 /data && chown node:node /data
COPY --from=production /app/package.json ./
COPY --from=production /app/node_modules node_modules
COPY --from=production /app/packages/proof/package.json packages/proof/
COPY --from=production /app/packages/scoring/package.json packages/scoring/
COPY --from=production /app/packages/service packages/service
# `docker run … node packages/cli/dist/reliability.js doctor`
COPY --from=production /app/packages/cli/dist packages/cli/dist
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# A worker has no port. It counts as healthy while its process lives. checks.worker of /status.json shows whether it works.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "if (process.env.ROLE === 'worker') process.exit(0); fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1, so SIGTERM reaches it: it finishes running work and exits within ten seconds.
# V8 collects garbage when the heap has doubled (docs/OPERATIONS.md, Size).
CMD ["node", "--heap-growing-percent=100", "--max-semi-space-size=32", "packages/service/dist/main.js"]
