#!/usr/bin/env node
require("./launch.js").launch("helm-image-override");
