import type { VNode } from 'preact';
import { CheckField, type Option } from './field.tsx';

/** A choice of several. */
export function Choices({
  legend,
  options,
  chosen,
  onChange,
}: {
  legend: string;
  options: readonly Option[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}): VNode {
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {options.map(([value, label]) => (
        <CheckField
          key={value}
          label={label}
          checked={chosen.includes(value)}
          onChange={(isOn) => onChange(isOn ? [...chosen, value] : chosen.filter((each) => each !== value))}
        />
      ))}
    </fieldset>
  );
}
