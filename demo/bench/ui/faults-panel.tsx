import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button, EmptyState } from '../../../console/ui/index.ts';

/** Faults that happen once. */
const ACTS = [
  ['drop', 'Drop the socket'],
  ['deafen', 'Half-open the socket'],
  ['duplicate', 'Duplicate frames'],
  ['reorder', 'Reorder frames'],
  ['expire_token', 'Expire the token'],
  ['expire', 'Expire the session'],
  ['restart', 'Replace the node'],
  ['kill', 'Kill the node'],
] as const;

/** Faults that last until they are switched off. */
const SWITCHES = [
  ['offline', 'Offline'],
  ['stalled', 'Stalled'],
  ['slow', 'Slow (2 kB/s)'],
  ['late', 'Late (2 s)'],
] as const;

type Report = Readonly<Partial<Record<string, boolean | string>>>;

/** Breaks the link between the widget and the platform, and the platform itself. A replay has neither. */
export function FaultsPanel({ isReplay }: { isReplay: boolean }): VNode {
  const report = useSignal<Report>({});
  const ask = async (path: string, isOn?: boolean): Promise<void> => {
    const options = isOn !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ on: isOn }),
    };
    try {
      const response = await fetch(`/bench/faults${path}`, options || {});
      report.value = { ...report.value, ...(await response.json()) };
    } catch (error) {
      report.value = { ...report.value, message: `The demo server did not respond: ${String(error)}` };
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: faults of the link outlive this page
  useEffect(() => {
    void ask('');
  }, []);
  if (isReplay)
    return (
      <EmptyState title="A replay has no link to break" icon="bench">
        End the replay to use the faults.
      </EmptyState>
    );
  return (
    <div class="bench-form">
      <h2>Lasting faults</h2>
      <div class="bench-buttons">
        {SWITCHES.map(([name, text]) => (
          <Button
            key={name}
            aria-pressed={report.value[name] === true}
            onClick={() => void ask(`/${name}`, report.value[name] !== true)}
          >
            {text}
          </Button>
        ))}
      </div>
      <h2>Once</h2>
      <div class="bench-buttons">
        {ACTS.map(([name, text]) => (
          <Button
            key={name}
            onClick={() => {
              // Another node starts slowly.
              report.value = { ...report.value, message: `${text} …` };
              void ask(`/${name}`, false);
            }}
          >
            {text}
          </Button>
        ))}
      </div>
      <p role="status" aria-label="Link">
        {report.value['message'] ?? ''}
      </p>
    </div>
  );
}
