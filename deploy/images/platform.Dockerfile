# docker build -f deploy/images/platform.Dockerfile --build-arg VERSION=0.1.0 -t natter-platform deploy
FROM node:24-bookworm-slim AS install
ARG VERSION=latest
# omit: without the spoken previews of the embedded voice and without OpenTelemetry, some 28 MB smaller.
ARG OPTIONAL=include
WORKDIR /app
RUN npm install --omit=dev --${OPTIONAL}=optional --no-audit --no-fund --no-package-lock "@natter/platform@${VERSION}" \
  && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.?ts' \) -delete \
  && mkdir /data

FROM gcr.io/distroless/nodejs24-debian12:nonroot
WORKDIR /app
COPY --from=install /app/node_modules node_modules
# The one folder that is written to: mount a volume there, and the rest may be read-only.
COPY --from=install --chown=65532:65532 /data /data
ENV NODE_ENV=production \
  NATTER_HOST=0.0.0.0 \
  NATTER_PORT=8080 \
  NATTER_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
USER 65532:65532
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["/nodejs/bin/node", "-e", "fetch('http://127.0.0.1:8080/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/nodejs/bin/node", "node_modules/@natter/platform/bin/natter-platform.js"]
CMD ["serve"]
