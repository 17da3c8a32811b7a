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
  /** Beside the label: the name of the field in code. */
  readonly code?: string | undefined;
  /** Hint below the field. */
  readonly hint?: string | undefined;
  /** The fault of the value; null or omitted: none. */
  readonly problem?: string | null | undefined;
  /** Whether the label is for screen readers alone, as in a row of filters. */
  readonly isLabelHidden?: boolean | undefined;
}

function Field({
  id,
  label,
  code,
  hint,
  problem,
  isLabelHidden,
  children,
}: FieldProps & { id: string; children: ComponentChildren }): VNode {
  const name = (
    <label for={id} class={isLabelHidden ? 'unseen' : undefined}>
      {label}
    </label>
  );
  return (
    <div class="field">
      {code === undefined ? (
        name
      ) : (
        <div class="field-label">
          {name}
          <code>{code}</code>
        </div>
      )}
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

/**
 * The text of a field. `value` needs `onInput`, because each render sets the field to it; `defaultValue` is the first text of
 * a field that keeps its own.
 */
type TextProps<Control extends Element> =
  | { readonly value: string; readonly onInput: (event: TargetedEvent<Control>) => void }
  | {
      readonly value?: never;
      readonly defaultValue?: string;
      readonly onInput?: (event: TargetedEvent<Control>) => void;
    };

/** Options of a field besides its label. */
interface ControlProps<Control extends Element> extends FieldProps {
  readonly name?: string;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly placeholder?: string;
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

const splitProps = <Props extends FieldProps>({
  label,
  code,
  hint,
  problem,
  isLabelHidden,
  ...rest
}: Props) => ({
  field: { label, code, hint, problem, isLabelHidden },
  rest,
});

/** A field for a line of text, a number, a date … */
export function TextField(props: InputProps & TextProps<HTMLInputElement>): VNode {
  const { field, rest } = splitProps(props);
  const id = useId();
  return (
    <Field {...field} id={id}>
      {/* Preact types the attributes of each input type separately; this lists the attributes of all. */}
      <input {...({ ...rest, ...describeBy(id, props), id } as InputHTMLAttributes<HTMLInputElement>)} />
    </Field>
  );
}

/** A field for lines of text. */
export function TextArea(
  props: ControlProps<HTMLTextAreaElement> &
    TextProps<HTMLTextAreaElement> & { rows?: number; spellcheck?: boolean; dir?: 'auto' },
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

/** As `TextProps`, with `onChange`. */
type ChoiceProps =
  | {
      readonly value: string;
      readonly defaultValue?: never;
      readonly onChange: (event: TargetedEvent<HTMLSelectElement>) => void;
    }
  | {
      readonly value?: never;
      readonly defaultValue?: string;
      readonly onChange?: (event: TargetedEvent<HTMLSelectElement>) => void;
    };

/** A choice of one. */
export function SelectField({
  options,
  defaultValue,
  ...props
}: Omit<ControlProps<HTMLSelectElement>, 'placeholder' | 'onChange'> &
  ChoiceProps & { options: readonly Option[] }): VNode {
  const { field, rest } = splitProps(props);
  const id = useId();
  return (
    <Field {...field} id={id}>
      <select {...rest} {...describeBy(id, props)} id={id}>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === (props.value ?? defaultValue)}>
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
  hint,
  checked,
  onChange,
  disabled,
}: {
  label: string;
  hint?: string;
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
      <span>
        {label}
        {hint !== undefined && <small class="quiet">{hint}</small>}
      </span>
    </label>
  );
}
