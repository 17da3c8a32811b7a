# docker build -f deploy/images/token-proxy.Dockerfile --build-arg VERSION=0.1.0 -t natter-token-proxy deploy
FROM node:24-bookworm-slim AS install
ARG VERSION=latest
# omit: without OpenTelemetry, some 7 MB smaller.
ARG OPTIONAL=include
WORKDIR /app
RUN npm install --omit=dev --${OPTIONAL}=optional --no-audit --no-fund --no-package-lock "@natter/token-proxy@${VERSION}" \
  && find node_modules \( -name '*.d.ts' -o -name '*.d.?ts' \) -delete \
  # Those of the widget are for the browsers' debuggers.
  && find node_modules -name '*.map' -not -path 'node_modules/natter/*' -delete

FROM gcr.io/distroless/nodejs24-debian12:nonroot
WORKDIR /app
COPY --from=install /app/node_modules node_modules
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=8787
EXPOSE 8787
USER 65532:65532
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["/nodejs/bin/node", "-e", "fetch('http://127.0.0.1:8787/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/nodejs/bin/node", "node_modules/@natter/token-proxy/bin/natter-token-proxy.js"]
