import { BodyBudget } from "../../serving/request-body.ts";
import { workloadOfResource } from "../convert/workloads.ts";
import type { ApiRequest, Translate } from "./api-exchange.ts";
import { OpenApiView } from "./openapi/openapi-view.ts";
import { prepareRead, viewResponse } from "./read/translate-read.ts";
import { isWriteOfWorkload, translateWrite } from "./write/translate-write.ts";

/** The translation between clients that know `imageSpec` and an API server that does not. */
export function createTranslate(): Translate {
  const budget = new BodyBudget();
  const openApi = new OpenApiView();
  return async (request, upstream) => {
    const document = openApi.answer(request, upstream);
    if (document !== undefined) return document;
    const prepared: ApiRequest = { ...request, ...prepareRead(request), body: request.body };
    const { resource } = request.info;
    const workload =
      resource === undefined ? undefined : workloadOfResource(resource.group, resource.resource);
    const answer = isWriteOfWorkload(request, workload)
      ? await translateWrite(prepared, workload, upstream, budget)
      : await upstream.send(prepared);
    return viewResponse(request, answer);
  };
}
