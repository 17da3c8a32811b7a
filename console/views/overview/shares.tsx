import type { VNode } from 'preact';
import { Card, Table } from '../../ui/index.ts';

/** Number of conversations by name. */
export function Shares({
  title,
  buckets,
  nameOf = (name) => name,
}: {
  title: string;
  buckets: readonly Readonly<Record<string, number>>[];
  nameOf?: (name: string) => string;
}): VNode {
  const sums = new Map<string, number>();
  for (const bucket of buckets)
    for (const [name, count] of Object.entries(bucket)) sums.set(name, (sums.get(name) ?? 0) + count);
  const rows = [...sums].sort((a, b) => b[1] - a[1]);
  return (
    <Card title={title}>
      <Table
        caption={`Conversations by ${title.toLowerCase()}`}
        isCaptionHidden
        columns={[
          { header: 'Name', cell: ([name]) => nameOf(name) },
          { header: 'Conversations', isNumber: true, cell: ([, count]) => count.toLocaleString() },
        ]}
        rows={rows}
        keyOf={([name]) => name}
      />
    </Card>
  );
}
