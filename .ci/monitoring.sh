#!/usr/bin/env bash
# What deploy/monitoring ships, tried by Prometheus' own tools: its configuration, its alerts with their tests, and the names
# and texts of all metrics. Then a Prometheus scrapes the built program (npm run build), whose database fails for a while.
# Debian; installs Prometheus when it is missing (as root).
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v promtool >/dev/null || ! command -v prometheus >/dev/null; then
  apt-get update -qq
  # The package would start a server of its own.
  printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends prometheus >/dev/null
  rm /usr/sbin/policy-rc.d
fi

promtool check config deploy/monitoring/prometheus.yml
promtool check rules deploy/monitoring/alerts.yml
promtool test rules deploy/monitoring/alerts.test.yml
node --import tsx test/metrics/print-metrics.ts | promtool check metrics
.ci/services.sh node --import tsx test/metrics/alert-on-fault.ts
