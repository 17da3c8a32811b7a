import type { VNode } from 'preact';
import { callConsole } from '../../call-platform.ts';
import { projects } from '../../session.ts';
import { FormDialog, SelectField, TextField } from '../../ui/index.ts';
import type { AlertRule } from './alert-types.ts';
import { METRICS, OPERATORS, WINDOWS } from './rule-words.ts';

/** Asks what a rule watches. `rule` null: a new one. */
export function RuleForm({
  rule,
  onDone,
  onClose,
}: {
  rule: AlertRule | null;
  onDone: () => void;
  onClose: () => void;
}): VNode {
  return (
    <FormDialog
      title={rule === null ? 'New rule' : `Edit ${rule.name}`}
      submitLabel={rule === null ? 'Add the rule' : 'Save'}
      onClose={onClose}
      onSubmit={async (form) => {
        const text = (name: string): string => String(form.get(name));
        const body = {
          name: text('name'),
          project_id: text('project') || null,
          metric: text('metric'),
          operator: text('operator'),
          threshold_value: Number(text('threshold')),
          window_duration: text('window'),
        };
        await callConsole(
          rule === null ? 'POST' : 'PUT',
          rule === null ? '/alert-rules' : `/alert-rules/${rule.id}`,
          { body },
        );
        onDone();
      }}
    >
      <TextField label="Name" name="name" defaultValue={rule?.name ?? ''} autocomplete="off" required />
      <SelectField
        label="Fires when"
        name="metric"
        options={METRICS}
        defaultValue={rule?.metric ?? METRICS[0][0]}
      />
      <div class="alerts-condition">
        <SelectField
          label="Comparison"
          name="operator"
          options={OPERATORS}
          defaultValue={rule?.operator ?? '>'}
        />
        <TextField
          label="Threshold"
          name="threshold"
          type="number"
          min={0}
          step={1}
          defaultValue={String(rule?.threshold_value ?? '')}
          hint="Latencies are in milliseconds, waits in seconds."
          required
        />
        <SelectField
          label="In"
          name="window"
          options={WINDOWS}
          defaultValue={rule?.window_duration ?? '10m'}
        />
      </div>
      <SelectField
        label="Project"
        name="project"
        options={[['', 'All projects'], ...projects.value.map(({ id, name }) => [id, name] as const)]}
        defaultValue={rule?.project_id ?? ''}
      />
      {rule !== null && <p class="quiet">Any change except the name resets the rule to “ok”.</p>}
    </FormDialog>
  );
}
