import type {
  ComponentChildren,
  InputHTMLAttributes,
  TargetedEvent,
  TargetedKeyboardEvent,
  VNode,
} from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  /** Below the field: what to write. */
  readonly hint?: string | undefined;
  /** What is wrong with the value; null or left out: nothing is. */
  readonly problem?: string | null | undefined;
  /** Whether the label is for screen readers alone, as in a row of filters. */
  readonly isLabelHidden?: boolean | undefined;
}

function Field({
  id,
  label,
  hint,
  problem,
  isLabelHidden,
  children,
}: FieldProps & { id: string; children: ComponentChildren }): VNode {
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? 'unseen' : undefined}>
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <small id={`${id}-hint`} class="quiet">
          {hint}
        </small>
      )}
      {problem && (
        <small id={`${id}-problem`} class="problem" role="alert">
          {problem}
        </small>
      )}
    </div>
  );
}

const describeBy = (id: string, { hint, problem }: FieldProps) => {
  const ids = [hint === undefined ? '' : `${id}-hint`, problem ? `${id}-problem` : ''].filter(Boolean);
  return {
    ...(ids.length > 0 && { 'aria-describedby': ids.join(' ') }),
    ...(problem && { 'aria-invalid': true }),
  };
};

/** What fields can be given besides their label. */
interface ControlProps<Control extends Element> extends FieldProps {
  readonly name?: string;
  readonly value?: string;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly placeholder?: string;
  readonly onInput?: (event: TargetedEvent<Control>) => void;
  readonly onChange?: (event: TargetedEvent<Control>) => void;
  readonly onKeyDown?: (event: TargetedKeyboardEvent<Control>) => void;
}

interface InputProps extends ControlProps<HTMLInputElement> {
  readonly type?:
    | 'text'
    | 'search'
    | 'email'
    | 'password'
    | 'number'
    | 'url'
    | 'tel'
    | 'color'
    | 'date'
    | 'datetime-local'
    | 'time';
  readonly autocomplete?: 'off' | 'username' | 'current-password' | 'new-password';
  readonly min?: number | string;
  readonly max?: number | string;
  readonly step?: number | 'any';
  readonly spellcheck?: boolean;
  /** The id of a `datalist`. */
  readonly list?: string;
}

const splitProps = <Props extends FieldProps>({ label, hint, problem, isLabelHidden, ...rest }: Props) => ({
  field: { label, hint, problem, isLabelHidden },
  rest,
});

/** A field for a line of text, a number, a date … */
export function TextField(props: InputProps): VNode {
  const { field, rest } = splitProps(props);
  const id = useId();
  return (
    <Field {...field} id={id}>
      {/* Each type has attributes of its own for Preact's types; those of all types are given here. */}
      <input {...({ ...rest, ...describeBy(id, props), id } as InputHTMLAttributes<HTMLInputElement>)} />
    </Field>
  );
}

/** A field for lines of text. */
export function TextArea(
  props: ControlProps<HTMLTextAreaElement> & { rows?: number; spellcheck?: boolean },
): VNode {
  const { field, rest } = splitProps(props);
  const id = useId();
  return (
    <Field {...field} id={id}>
      <textarea {...rest} {...describeBy(id, props)} id={id} />
    </Field>
  );
}

/** A choice: value and label of each option. */
export type Option = readonly [value: string, label: string];

/** A choice of one. */
export function SelectField({
  options,
  ...props
}: Omit<ControlProps<HTMLSelectElement>, 'placeholder'> & { options: readonly Option[] }): VNode {
  const { field, rest } = splitProps(props);
  const id = useId();
  return (
    <Field {...field} id={id}>
      <select {...rest} {...describeBy(id, props)} id={id}>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === props.value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** Something to switch on and off. */
export function CheckField({
  label,
  checked,
  onChange,
  disabled,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}): VNode {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled ?? false}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
