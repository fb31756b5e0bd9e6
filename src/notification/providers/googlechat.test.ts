import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";

const server = useNotificationServer();

describe("googlechat", () => {
  test("a card with a paragraph and the metadata", async () => {
    const [request] = await server.deliver("googlechat", {
      event: { severity: "error", message: '<users/all> & "co"' },
      settings: { address: server.url("/v1/spaces/AAA/messages?key=k&token=t") },
    });
    expect(jsonOf(request)).toEqual({
      cards: [
        {
          header: {
            title: "kustomization/podinfo.flux-system",
            subtitle: "kustomize-controller",
            imageUrl: null,
            imageStyle: null,
          },
          sections: [
            {
              header: "",
              widgets: [
                {
                  textParagraph: {
                    text: '<font color="#ff0000">&lt;users/all&gt; &amp; &quot;co&quot;</font>',
                  },
                  keyValue: null,
                },
              ],
            },
            {
              header: "",
              widgets: [
                ["revision", "main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738"],
                ["summary", "staging cluster"],
              ].map(([topLabel, content]) => ({
                textParagraph: null,
                keyValue: { topLabel, content, contentMultiline: false, bottomLabel: null, icon: null },
              })),
            },
          ],
        },
      ],
    });
  });

  test("without metadata there is one section", async () => {
    const settings = { address: server.url("/v1/spaces/AAA/messages") };
    const [request] = await server.deliver("googlechat", { notification: { metadata: {} }, settings });
    expect(jsonOf(request)).toMatchObject({ cards: [{ sections: [{ header: "" }] }] });
  });
});
