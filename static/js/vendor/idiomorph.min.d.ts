export const Idiomorph: {
  morph(
    place: Element,
    content: Node[],
    config: {
      morphStyle: "innerHTML";
      callbacks: {
        beforeNodeMorphed(old: Node, fresh: Node): boolean;
        beforeAttributeUpdated(name: string): boolean;
      };
    },
  ): void;
};
