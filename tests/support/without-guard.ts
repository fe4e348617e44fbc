import { AndNode, type KyselyPlugin, type OperationNode, type RootOperationNode } from 'kysely'
import type { Database, Writer } from '#server/platform/db/database.ts'

/**
 * The same database, whose updates of `table` lack their condition on `column`: what the product would be without
 * that guard. A test that is passed this and does not fail would not notice if the guard went.
 */
export function withoutGuard(db: Database, table: string, column: string): Database {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => unguarded(node, table, column),
    transformResult: async ({ result }) => result,
  }
  return { ...db, transaction: fn => db.transaction(trx => fn(trx.withPlugin(plugin) as Writer)) }
}

function unguarded(node: RootOperationNode, table: string, column: string): RootOperationNode {
  if (node.kind !== 'UpdateQueryNode' || !node.where || !names(node.table, table)) return node
  const kept = conditionsOf(node.where.where).filter(condition => !names(condition, column))
  const [first, ...others] = kept
  if (!first) return node
  return { ...node, where: { ...node.where, where: others.reduce(AndNode.create, first) } }
}

function conditionsOf(node: OperationNode): OperationNode[] {
  return AndNode.is(node) ? [...conditionsOf(node.left), ...conditionsOf(node.right)] : [node]
}

/** Does this name stand in that part of the query? */
function names(node: OperationNode | undefined, name: string): boolean {
  return JSON.stringify(node).includes(`"name":${JSON.stringify(name)}`)
}
