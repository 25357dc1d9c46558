import type { ReactNode } from 'react';
import { Table as AriaTable, Cell, Column, Row, TableBody, TableHeader } from 'react-aria-components';
import { classNames } from './class-names.ts';
import './table.css';

export type TableColumn<Item> = {
  readonly id: string;
  readonly label: string;
  readonly cell: (item: Item) => ReactNode;
  /** The one that names the row, to screen readers. */
  readonly isRowHeader?: boolean;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
  readonly width?: string;
};

/** Rows of the same kind. On a narrow screen it scrolls within itself. */
export function Table<Item>({
  label,
  columns,
  items,
  idOf,
  onRowAction,
  empty = 'There is nothing here yet.',
}: {
  readonly label: string;
  readonly columns: readonly TableColumn<Item>[];
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string | number;
  readonly onRowAction?: (item: Item) => void;
  readonly empty?: ReactNode;
}) {
  return (
    <div className="ui-table-frame">
      <AriaTable
        aria-label={label}
        className="ui-table"
        {...(onRowAction && {
          onRowAction: (key) => {
            const item = items.find((one) => String(idOf(one)) === String(key));
            if (item !== undefined) onRowAction(item);
          },
        })}
      >
        <TableHeader>
          {columns.map((column, index) => (
            <Column
              key={column.id}
              id={column.id}
              isRowHeader={column.isRowHeader ?? index === 0}
              className={classNames('ui-column', column.isNumber === true && 'ui-number')}
              style={column.width === undefined ? {} : { width: column.width }}
            >
              {column.label}
            </Column>
          ))}
        </TableHeader>
        <TableBody renderEmptyState={() => <div className="ui-list-empty">{empty}</div>}>
          {items.map((item) => (
            <Row key={idOf(item)} id={String(idOf(item))} className="ui-row">
              {columns.map((column) => (
                <Cell key={column.id} className={classNames('ui-cell', column.isNumber === true && 'ui-number')}>
                  {column.cell(item)}
                </Cell>
              ))}
            </Row>
          ))}
        </TableBody>
      </AriaTable>
    </div>
  );
}
