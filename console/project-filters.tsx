import type { VNode } from 'preact';
import { useProject } from './location.ts';
import { SelectField } from './ui/index.ts';

interface FilterProps {
  readonly value: string;
  readonly onChange: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

/** Chooses a variant of the project. Nothing where it has none. */
export function VariantField({ value, onChange }: FilterProps): VNode | null {
  const variants = useProject()?.variants ?? [];
  if (variants.length === 0) return null;
  const options = [['', 'All'] as const, ...variants.map(({ id, name }) => [id, name] as const)];
  return <SelectField label="Variant" value={value} options={options} onChange={onChange} />;
}

/** Chooses an environment; the empty value stands for `live`, as in the REST families. */
export function EnvironmentField({ value, onChange }: FilterProps): VNode {
  return (
    <SelectField
      label="Environment"
      value={value}
      options={[
        ['', 'live'],
        ['sandbox', 'sandbox'],
        ['pre-release', 'pre-release'],
      ]}
      onChange={onChange}
    />
  );
}
