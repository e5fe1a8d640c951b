# One image for every service: the command says which, such as `dist/forecast.js`. Without a command it runs
# everything in one process (embedded mode), with its data in /data. See docs/containers.md.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
# What builds may differ from what runs, for instance in where npm finds its packages.
ARG BUILD_IMAGE=${NODE_IMAGE}

# The manifests alone, so that a change of a source file does not install everything again.
FROM ${BUILD_IMAGE} AS manifests
WORKDIR /app
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json -delete && find . -type d -empty -delete

FROM ${BUILD_IMAGE} AS dependencies
# Empty: npm's own default.
ARG NPM_CONFIG_REGISTRY
WORKDIR /app
COPY --from=manifests /app ./
# Naming one workspace brings in the ones that it depends on: the six services and their packages. What others ship besides what
# runs goes: tests, maps, sources of another language, native builds for other machines, and all weights of the fonts but the one of labels.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace services/all-in-one --workspace packages/cli \
  && find node_modules -depth -type d \( -name test -o -name tests -o -name __tests__ \) -exec rm -rf {} + \
  && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.[cm]ts' -o -name '*.c' -o -name '*.cc' -o -name '*.h' \) -delete \
  && find node_modules/@expo-google-fonts -mindepth 2 -maxdepth 2 -type d ! -name 400Regular -exec rm -rf {} + \
  && find node_modules/@expo-google-fonts -type f -name '*.png' -delete \
  && cd node_modules/@photostructure/sqlite/prebuilds \
  && find . -mindepth 1 -maxdepth 1 ! -name "$(node -p 'process.platform + "-" + process.arch')" -exec rm -rf {} +

FROM ${BUILD_IMAGE} AS build
ARG NPM_CONFIG_REGISTRY
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node tools/build/build.mjs product
# The programs, without maps, and the pages and the documentation that the gateway serves. Of other workspaces the programs have the code.
COPY --from=dependencies /app/node_modules /runtime/node_modules
RUN cp -r dist package.json LICENSE /runtime/ && chmod +x /runtime/dist/parcelctl.js \
  && for folder in console/dist/page station/dist/page operator/dist/page docs-site/dist/site; do \
    name="${folder%%/*}" && mkdir -p "/runtime/packages/$name/dist" \
    && cp "packages/$name/package.json" "/runtime/packages/$name/" && cp -r "packages/$folder" "/runtime/packages/$name/dist/" || exit 1; \
  done \
  && find /runtime/node_modules/@parcelway -xtype l -delete \
  && find /runtime/dist -name '*.map' -delete \
  && npm sbom --package-lock-only --sbom-format cyclonedx --sbom-type application \
  | node tools/build/dist/licences-main.js --bill /runtime/sbom.cdx.json --notices /runtime/THIRD-PARTY-LICENCES.txt

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    DATA_DIR=/data
WORKDIR /app
COPY --from=build /runtime /app
# Data, certificate and quickstart.json; secrets that services share. Volumes belong on both. 1000 is the user `node`.
RUN mkdir -m 0700 /data /run/parcelway && chown 1000:1000 /data /run/parcelway \
  && ln -s /app/dist/parcelctl.js /usr/local/bin/parcelctl
USER 1000:1000
EXPOSE 8080 8443
HEALTHCHECK --interval=5s --timeout=4s --start-period=60s --retries=6 \
  CMD ["node", "/app/dist/healthcheck.js"]
ENTRYPOINT ["node"]
CMD ["dist/all-in-one.js"]
