# A client for Java by openapi-generator (native).
javac -version && mvn --version || { echo 'needs a JDK 17 or newer and Maven 3.8 or newer'; exit 69; }
mvn --batch-mode --quiet --no-transfer-progress compile
mvn --batch-mode --quiet --no-transfer-progress exec:java
