import { expect, test } from "vitest";
import { judge } from "./judge.ts";

const original = '  - image: nginx:1.27\n    image: "quay.io/a/b:1@sha256:00"\nkind: x\n';

test.each([
  {
    name: "moved, both",
    overridden:
      '  - image: h.io:5000/dockerio/library/nginx:1.27\n    image: "h.io:5000/quayio/a/b:1@sha256:00"\n',
    judgement: { images: 2, moved: 2 },
  },
  { name: "not moved", overridden: original, judgement: { images: 2, moved: 0 } },
  {
    name: "another tag",
    overridden:
      "  - image: h.io:5000/dockerio/library/nginx:1.28\n    image: h.io:5000/quayio/a/b:1@sha256:00\n",
    judgement: { images: 2, moved: 1 },
  },
  {
    name: "another host",
    overridden: "  - image: h.io:5000.evil/nginx:1.27\n    image: h.io:5000/quayio/a/b:1@sha256:00\n",
    judgement: { images: 2, moved: 1 },
  },
  {
    name: "an image gone",
    overridden: "  - image: h.io:5000/dockerio/library/nginx:1.27\n",
    judgement: { images: 2, moved: 0 },
  },
])("judges by helm's output: $name", ({ overridden, judgement }) => {
  expect(judge(original, overridden, "h.io:5000")).toEqual(judgement);
});
