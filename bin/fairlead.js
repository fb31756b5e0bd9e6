#!/usr/bin/env node
void require("./launch.js").launch("fairlead");
