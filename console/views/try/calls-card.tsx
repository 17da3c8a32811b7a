import type { VNode } from 'preact';
import { Button, Card, showToast, tryTo } from '../../ui/index.ts';
import type { Calls } from './to-calls.ts';

const FORMS = [
  ['curl', 'On the command line'],
  ['sdk', 'With the SDK'],
] as const;

/** Matching API call as the form beside it. */
export function CallsCard({ calls, permission }: { calls: Calls; permission: string }): VNode {
  const copy = (text: string): Promise<boolean> =>
    tryTo(async () => {
      await navigator.clipboard.writeText(text);
      showToast('Copied');
    });
  return (
    <Card title="Matching API call">
      <p class="quiet">
        It needs a key with the permission <code>{permission}</code>, in place of YOUR_KEY.
      </p>
      {FORMS.map(([form, label]) => (
        <section key={form} class="try-call" aria-label={label}>
          <header class="card-head">
            <h3 class="grow">{label}</h3>
            <Button aria-label={`Copy: ${label}`} onClick={() => void copy(calls[form])}>
              Copy
            </Button>
          </header>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard */}
          <pre class="try-code" tabIndex={0}>
            {calls[form]}
          </pre>
        </section>
      ))}
    </Card>
  );
}
