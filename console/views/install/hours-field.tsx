import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Button, CheckField, TextField } from '../../ui/index.ts';
import { type HoursRow, readHours, writeHours } from './hours.ts';
import { Fieldset, type ListOptionProps } from './list-options.tsx';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const WORKING_DAYS: HoursRow = { days: [0, 1, 2, 3, 4], from: '09:00', to: '17:00' };
const SATURDAY: HoursRow = { days: [5], from: '10:00', to: '14:00' };

/** Opening hours by days and times; the text itself where it has a fault, months or closed dates. */
export function HoursField({ value, onChange, ...rest }: ListOptionProps): VNode {
  // A row that has no day or no time yet is not in the text.
  const [edited, setEdited] = useState<{ readonly text: string; readonly rows: readonly HoursRow[] } | null>(
    null,
  );
  const rows = edited?.text === value ? edited.rows : readHours(value);
  if (rows === null)
    return (
      <TextField {...rest} value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
    );
  const set = (next: readonly HoursRow[]): void => {
    const text = writeHours(next);
    setEdited({ text, rows: next });
    onChange(text);
  };
  const change = (place: number, changes: Partial<HoursRow>): void =>
    set(rows.map((row, each) => (each === place ? { ...row, ...changes } : row)));
  return (
    <Fieldset {...rest}>
      {rows.map(({ days, from, to }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        <fieldset key={place} class="install-row" aria-label={`Hours ${place + 1}`}>
          <div class="install-days">
            {WEEKDAYS.map((name, day) => (
              <CheckField
                key={name}
                label={name}
                checked={days.includes(day)}
                onChange={(isOn) =>
                  change(place, { days: isOn ? [...days, day] : days.filter((each) => each !== day) })
                }
              />
            ))}
          </div>
          <div class="install-times">
            <TextField
              label="From"
              type="time"
              value={from}
              onInput={({ currentTarget }) => change(place, { from: currentTarget.value })}
            />
            <TextField
              label="To"
              type="time"
              value={to}
              onInput={({ currentTarget }) => change(place, { to: currentTarget.value })}
            />
          </div>
          <Button
            icon="trash"
            aria-label={`Remove hours ${place + 1}`}
            onClick={() => set(rows.filter((_, each) => each !== place))}
          >
            Remove
          </Button>
        </fieldset>
      ))}
      <Button onClick={() => set([...rows, rows.length === 0 ? WORKING_DAYS : SATURDAY])}>Add hours</Button>
    </Fieldset>
  );
}
