// Runs files of SQL in DuckDB, in memory, and prints the rows of the last statement of each, values separated by |:
// duckdb.mjs FILE...
import {readFileSync} from 'node:fs';
import {DuckDBInstance} from '@duckdb/node-api';

const connection = await (await DuckDBInstance.create(':memory:')).connect();
for (const file of process.argv.slice(2)) {
  const reader = await connection.runAndReadAll(readFileSync(file, 'utf8'));
  for (const row of reader.getRows()) console.log(row.join('|'));
}
