/** What the search knows of a node. */
interface SearchedNode {
  /** Its place in the order of the search. */
  readonly order: number;
  /** The first place that it leads back to. */
  lowest: number;
  /** Whether its cycle is complete. */
  isDone: boolean;
}

/**
 * Returns the nodes that the first ones lead to, in groups: nodes that lead to each other, or one node. Each group
 * stands after those that it leads to (Tarjan's strongly connected components). It does not use the call stack, because
 * chains of references can be long.
 */
export function groupCycles<Node>(starts: Iterable<Node>, targetsOf: (node: Node) => Iterable<Node>): Node[][] {
  const groups: Node[][] = [];
  const reached = new Map<Node, SearchedNode>();
  const open: Node[] = []; // whose groups are not complete
  const path: { readonly node: Node; readonly own: SearchedNode; readonly targets: Iterator<Node> }[] = [];
  const enter = (node: Node): void => {
    const own = { order: reached.size, lowest: reached.size, isDone: false };
    reached.set(node, own);
    open.push(node);
    path.push({ node, own, targets: targetsOf(node)[Symbol.iterator]() });
  };
  for (const start of starts) {
    if (!reached.has(start)) enter(start);
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const { node, own, targets } = last;
      const next = targets.next();
      if (!next.done) {
        const target = reached.get(next.value);
        if (!target) enter(next.value);
        else if (!target.isDone) own.lowest = Math.min(own.lowest, target.order);
        continue;
      }
      path.pop();
      const above = path.at(-1)?.own;
      if (above) above.lowest = Math.min(above.lowest, own.lowest);
      if (own.lowest !== own.order) continue;
      const group = open.splice(open.lastIndexOf(node));
      for (const each of group) reached.get(each)!.isDone = true;
      groups.push(group);
    }
  }
  return groups;
}
