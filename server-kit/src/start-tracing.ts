/** An SDK that sends spans to a collector. */
export interface Tracing {
  /** Sends the remaining spans within a few seconds, and stops. Never rejects. */
  stop(): Promise<void>;
}

/** Environment variables, by name. */
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Registers OpenTelemetry's SDK if the environment names a collector; otherwise returns `null` and loads nothing.
 *
 * Reads the standard variables: `OTEL_EXPORTER_OTLP_*`, `OTEL_TRACES_SAMPLER`, `OTEL_SERVICE_NAME`,
 * `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_SDK_DISABLED`. Rejects when its packages are not installed, or the sampler is unknown.
 */
export async function startTracing(
  serviceName: string,
  environment: Variables,
  onFailure: (error: unknown) => void,
): Promise<Tracing | null> {
  const read = (name: string): string => (environment[name] ?? '').trim();
  const hasCollector =
    read('OTEL_EXPORTER_OTLP_ENDPOINT') !== '' || read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== '';
  if (!hasCollector || read('OTEL_SDK_DISABLED').toLowerCase() === 'true') return null;
  const [api, hooks, core, exporter, resources, sdk] = await loadSdk();
  core.setGlobalErrorHandler(onFailure);
  const named = resources.resourceFromAttributes({ 'service.name': serviceName });
  // `OTEL_SERVICE_NAME` overrides the name.
  const detectors = [resources.resourceAttributesEnvDetector, resources.serviceNameEnvDetector];
  const provider = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(named).merge(resources.detectResources({ detectors })),
    sampler: createSampler(sdk, read('OTEL_TRACES_SAMPLER'), read('OTEL_TRACES_SAMPLER_ARG')),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new exporter.OTLPTraceExporter() })],
  });
  api.context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());
  // No baggage, because a page may put personal data there, which must not be passed on to other servers.
  api.propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  api.trace.setGlobalTracerProvider(provider);
  return { stop: () => provider.shutdown().catch(onFailure) };
}

type Sampler = import('@opentelemetry/sdk-trace').Sampler;
type Sdk = typeof import('@opentelemetry/sdk-trace');

async function loadSdk() {
  return await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
  ]).catch((cause: unknown) => {
    throw new Error(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages of OpenTelemetry are not installed. Install without --omit=optional, or unset the variable.',
      { cause },
    );
  });
}

const PARENT_BASED = 'parentbased_';

/** Returns the sampler of a standard name. */
function createSampler(sdk: Sdk, name: string, argument: string): Sampler {
  const wanted = name === '' ? 'parentbased_always_on' : name.toLowerCase();
  const ratio = argument === '' ? 1 : Number(argument);
  const roots = {
    always_on: () => new sdk.AlwaysOnSampler(),
    always_off: () => new sdk.AlwaysOffSampler(),
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(ratio),
  };
  const root = roots[wanted.replace(PARENT_BASED, '') as keyof typeof roots]?.();
  if (root === undefined || !(ratio >= 0 && ratio <= 1))
    throw new Error(
      'OTEL_TRACES_SAMPLER must be always_on, always_off, traceidratio or one of these after parentbased_, and OTEL_TRACES_SAMPLER_ARG a number from 0 to 1.',
    );
  return wanted.startsWith(PARENT_BASED) ? new sdk.ParentBasedSampler({ root }) : root;
}
