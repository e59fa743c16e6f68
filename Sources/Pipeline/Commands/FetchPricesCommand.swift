internal import AppStoreClient
internal import ArgumentParser
internal import Pipeline

/// `paidline-fetch prices`: fetches the owner's price list from App Store Connect.
struct FetchPricesCommand: FetchingCommand {
  static let configuration = CommandConfiguration(
    commandName: "prices",
    abstract: "Fetch the price list of App Store Connect as a catalogue.",
    discussion: """
      Writes every product of every app of bundle_ids with its group, period and name, and its \
      prices, introductory offers, promotional offers, win-back offers and offer codes in each \
      storefront. Prints what changed since the last fetch. List the file that it writes under \
      inputs.catalog, and a file of your own after it. A stopped fetch continues when it is run \
      again.

      EXAMPLE
        paidline-fetch prices shop/pipeline.yaml
      """)

  @OptionGroup var options: FetchOptions

  func run(connect: @escaping AppleConnection.Maker) async throws {
    let (definition, settings, prices) = try options.read(
      \.prices,
      advice: "fetch.prices with the keys key_id, private_key_file, output and archive")
    let lock = try StateLock(
      statePath: PriceListFetch.databasePath(definition), waitSeconds: options.wait.seconds)
    let fetch = PriceListFetch(
      definition: definition, settings: settings, prices: prices, connect: connect,
      log: options.logOptions.logger("paidline-fetch"))
    let account = try await fetch.run()
    if options.json {
      try options.show(account.json)
    } else if !account.changes.isEmpty {
      try CheckedOutput.standard.writeLine(account.changes.joined(separator: "\n"))
    }
    withExtendedLifetime(lock) {}
  }
}
