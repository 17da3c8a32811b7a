import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent, VNode } from 'preact';
import { Button, SelectField, TextField } from '../../../console/ui/index.ts';

/** Prints the header that a site needs for the widget. */
export function PolicyPanel(): VNode {
  const header = useSignal<string | null>(null);
  const print = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const query = new URLSearchParams();
    // An empty field means the demo's own.
    for (const [name, value] of new FormData(event.currentTarget))
      if (value !== '') query.set(name, String(value));
    try {
      header.value = await (await fetch(`/bench/policy?${query}`)).text();
    } catch (error) {
      header.value = `The demo server did not respond: ${String(error)}`;
    }
  };
  return (
    <div class="bench-form">
      <form onSubmit={(event) => void print(event)}>
        <TextField label="Token proxy" name="endpoint" placeholder="the demo's" spellcheck={false} />
        <TextField label="Platform" name="platform" placeholder="the demo's" spellcheck={false} />
        <TextField label="Picture hosts" name="images" placeholder="cdn.example.com" spellcheck={false} />
        <SelectField
          label="Code from"
          name="code"
          options={[
            ['proxy', 'the token proxy'],
            ['page', 'the page’s bundle'],
          ]}
        />
        <Button type="submit">Print the header</Button>
      </form>
      {header.value !== null && (
        <pre class="bench-report" role="status" aria-label="Header">
          {header.value}
        </pre>
      )}
    </div>
  );
}
