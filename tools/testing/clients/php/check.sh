# A client for PHP by openapi-generator (Guzzle). CI may lack the toolchain, too.
php -r 'require "GuzzleHttp/autoload.php"; exit(extension_loaded("curl") && extension_loaded("mbstring") ? 0 : 1);' && mvn --version || {
  echo 'needs PHP 8.1 or newer with Guzzle 7 and Maven 3.8 or newer (on Debian: php-cli php-curl php-mbstring php-guzzlehttp-guzzle maven)'
  exit 77
}
mvn --batch-mode --quiet --no-transfer-progress generate-sources
# Compiles every class without running it.
find generated/lib -name '*.php' -print0 | xargs -0 -n 1 php -l >/dev/null
php submit-forecast.php
