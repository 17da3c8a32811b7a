import type { TargetedSubmitEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { Button, Card, Icon, LoadingState, TextField, useAttempt } from '../../ui/index.ts';
import { copyText } from './copy-text.ts';

interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'fault';
  readonly message: string;
  /** Snippet to paste at the place that the message names; null: there is nothing to paste. */
  readonly code: string | null;
}

interface Report {
  /** Address of the page, after redirects. */
  readonly url: string;
  readonly findings: readonly Finding[];
}

const STATUSES = {
  fault: { tone: 'danger', word: 'problem', icon: 'close' },
  warning: { tone: 'warning', word: 'to check', icon: 'warning' },
  ok: { tone: 'good', word: 'fine', icon: 'check' },
} as const;
const ORDER = ['fault', 'warning', 'ok'] as const;

/** Adds the scheme, which address bars often hide. */
const toAddress = (text: string): string => {
  const trimmed = text.trim();
  if (/^[a-z]+:\/\//i.test(trimmed)) return trimmed;
  return `${/^(?:localhost|127\.)/.test(trimmed) ? 'http' : 'https'}://${trimmed}`;
};

/** Asks the platform to look at a page of the site, and shows each fault with its remedy. */
export function SiteCheck({
  site,
  proxyUrl,
  project,
}: {
  site: string;
  /** Null: not known. */
  proxyUrl: string | null;
  project: string | null;
}): VNode {
  const [typed, setTyped] = useState<string | null>(null);
  const { attempt, isBusy, result, problem } = useAttempt<Report>();
  const address = typed ?? site;
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isBusy) return;
    const search = project === null ? '' : `?project=${encodeURIComponent(project)}`;
    const isAbsolute = proxyUrl !== null && /^https?:/.test(proxyUrl);
    const body = { url: toAddress(address), ...(isAbsolute && { token_proxy_url: proxyUrl }) };
    void attempt(() => callConsole('POST', `/site-check${search}`, { body }));
  };
  return (
    <Card title="Check my site">
      <p class="quiet install-measure">
        Once the tag is on your site, enter the address of a page. The platform fetches that page and what the
        chat needs there, and tells you what is missing.
      </p>
      <form class="install-check" onSubmit={onSubmit}>
        <TextField
          label="Address of a page"
          value={address}
          autocomplete="off"
          spellcheck={false}
          required
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" isBusy={isBusy}>
          Check my site
        </Button>
      </form>
      {isBusy && <LoadingState label="Checking your site" />}
      <div role="status">{result !== null && <Findings report={result} />}</div>
      {problem !== null && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
    </Card>
  );
}

function Findings({ report: { url, findings } }: { report: Report }): VNode {
  const sorted = ORDER.flatMap((wanted) => findings.filter(({ status }) => status === wanted));
  return (
    <div class="install-findings">
      <p class="install-verdict">
        <strong>{summarize(findings)}</strong> <span class="quiet">{url}</span>
      </p>
      <ul aria-label="Findings">
        {sorted.map(({ check, status, message, code }) => {
          const { tone, word, icon } = STATUSES[status];
          return (
            <li key={check} data-tone={tone}>
              <Icon name={icon} />
              <h3>
                {check} <span class="unseen">({word})</span>
              </h3>
              <div>
                <p>{message}</p>
                {code !== null && (
                  <div class="install-code">
                    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
                    <pre tabIndex={0}>
                      <code>{code}</code>
                    </pre>
                    <Button onClick={() => void copyText(code, 'Line')} aria-label={`Copy for ${check}`}>
                      Copy
                    </Button>
                  </div>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function summarize(findings: readonly Finding[]): string {
  const count = (wanted: Finding['status']): number =>
    findings.filter(({ status }) => status === wanted).length;
  const [faults, warnings] = [count('fault'), count('warning')];
  if (faults + warnings === 0) return 'Everything is in place.';
  const parts = [
    ...(faults > 0 ? [`${faults} ${faults === 1 ? 'problem' : 'problems'} to solve`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'point' : 'points'} to check`] : []),
  ];
  return `${parts.join(', ')}.`;
}
