import type { ConnectionStatus } from '../../client/index.ts';
import { pageDocument, toImageUrl, type WidgetOptions } from '../../widget/index.ts';

/** A request or a script that the page's policy has blocked. */
interface Violation {
  readonly directive: string;
  /** An address, or a keyword such as `inline`. A socket's address holds a token: only its origin may be shown. */
  readonly blocked: string;
  /** The script that requested it; empty if the browser does not report one. */
  readonly source: string;
}

/** Collects violations of the page's policy until `stop`, which returns them. */
interface PolicyWatch {
  stop(): readonly Violation[];
}

/** The body of a report of the type `csp-violation`, for which the compiler has no name. */
interface ViolationBody {
  readonly disposition: 'enforce' | 'report';
  readonly effectiveDirective: string;
  readonly blockedURL: string | null;
  readonly sourceFile: string | null;
}

/**
 * Starts to collect violations, including earlier ones in browsers with `ReportingObserver`. Ignores policies that only
 * report.
 */
export function watchPolicy(): PolicyWatch {
  const violations: Violation[] = [];
  const onViolation = (event: SecurityPolicyViolationEvent): void => {
    if (event.disposition !== 'enforce') return;
    violations.push({
      directive: event.effectiveDirective,
      blocked: event.blockedURI,
      source: event.sourceFile ?? '',
    });
  };
  const addReports = (reports: readonly Report[]): void => {
    for (const { body } of reports) {
      // The observer is limited to this type.
      const { disposition, effectiveDirective, blockedURL, sourceFile } = body as unknown as ViolationBody;
      if (disposition !== 'enforce') continue;
      violations.push({
        directive: effectiveDirective,
        blocked: blockedURL ?? '',
        source: sourceFile ?? '',
      });
    }
  };
  const observer = !(Object.hasOwn(window, 'ReportingObserver') && typeof ReportingObserver === 'function')
    ? null
    : new ReportingObserver(addReports, { types: ['csp-violation'], buffered: true });
  observer?.observe();
  pageDocument.addEventListener('securitypolicyviolation', onViolation);
  return {
    stop() {
      pageDocument.removeEventListener('securitypolicyviolation', onViolation);
      addReports(observer?.takeRecords() ?? []);
      observer?.disconnect();
      return violations;
    },
  };
}

const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : address);

/**
 * Describes a violation, showing only the origin of an address; null for one that does not concern the widget,
 * as far as browsers reveal it.
 */
export function describeViolation(
  { directive, blocked, source }: Violation,
  options: WidgetOptions,
  connection: ConnectionStatus,
): string | null {
  const proxy = originOf(options.endpoint);
  const isOfProxy = (address: string): boolean =>
    address.startsWith(`${options.endpoint}/`) || (proxy !== location.origin && originOf(address) === proxy);
  const isSocketMissing = connection.status !== 'open' || connection.isTurnBased === true;
  const isOurs =
    isOfProxy(blocked) ||
    isOfProxy(source) ||
    (isSocketMissing && /^wss?:/.test(blocked)) ||
    (directive === 'img-src' && toImageUrl(blocked, options) !== null);
  return isOurs ? `${directive} ${originOf(blocked)}` : null;
}
