internal import CivilTime
package import Diagnostics
package import Logging
package import Pipeline

/// Fetches the owner's price list from App Store Connect, and writes it as a catalogue file.
///
/// All responses are archived first. The catalogue is replaced when the list is complete, so that
/// an interrupted fetch keeps the previous list.
package struct PriceListFetch {
  private let definition: PipelineDefinition
  private let settings: FetchSettings
  private let prices: PriceListSettings
  private let connect: AppleConnection.Maker
  private let log: Logger

  package init(
    definition: PipelineDefinition, settings: FetchSettings, prices: PriceListSettings,
    connect: @escaping AppleConnection.Maker, log: Logger
  ) {
    self.definition = definition
    self.settings = settings
    self.prices = prices
    self.connect = connect
    self.log = log
  }

  /// The path of the database of fetched responses; the lock file is next to it.
  package static func databasePath(_ definition: PipelineDefinition) -> String {
    FetchStage.databasePath(definition, "prices.db")
  }

  /// The result of a fetch.
  package struct Account: Hashable {
    /// The number of products whose prices and offers were fetched.
    var products = 0
    /// The number of prices and offers in the fetched list.
    var lines = 0
    /// The number of requests that were sent, including repeated requests.
    var requests = 0
    /// The number of responses that were not requested, because an unfinished fetch had stored
    /// them.
    var resumed = 0
    /// The paths of the archives that were written.
    var archives: [String] = []
    /// The changes since the previous fetch: one text per product, price or offer that is new,
    /// changed or no longer listed.
    package var changes: [String] = []

    var text: String {
      let went = resumed > 0 ? ", \(resumed) responses were already stored" : ""
      return "\(products) products, \(lines) prices; \(requests) requests\(went)"
    }

    /// The result as a JSON object, for the option `--json`.
    package var json: JSONText {
      .object([
        .init("products", .number(Int64(products))), .init("prices", .number(Int64(lines))),
        .init("requests", .number(Int64(requests))), .init("resumed", .number(Int64(resumed))),
        .init("archives", .list(archives.map(JSONText.text))),
        .init("changes", .list(changes.map(JSONText.text))),
      ])
    }
  }

  /// Fetches the list of every app of the pipeline.
  ///
  /// - Throws: ``RunFailure`` with status 69 if Apple cannot be reached, 78 for a key that Apple
  ///   refuses or an output file that a person wrote, and 65 for an app that App Store Connect does
  ///   not know.
  package func run() async throws(RunFailure) -> Account {
    let before = try listBefore()
    let archive = try ConnectArchive(
      Self.databasePath(definition), output: prices.archive, log: log)
    let client = try AppleClient.appStoreConnect(
      settings, key: prices.key, url: prices.url, perSecond: prices.requestsPerSecond,
      connect: connect)
    var round = PriceListRound(ConnectClient(client, archive: archive, for: .prices))
    var failure: RunFailure?
    do throws(RunFailure) {
      let named = definition.bundleIDs
      try await round.sendRequests(named.isEmpty ? [settings.bundleID].compactMap(\.self) : named)
    } catch {
      failure = error
    }
    await client.close()
    if let failure { throw failure }
    try refuse(round)
    let update = PriceListUpdate(round.list, before: before, on: SystemClock.now.day)
    var account = Account()
    account.archives = try archive.publish()
    _ = try TextFile.write(PriceListText.text(update.list), to: prices.output)
    account.products = round.list.products.count
    account.lines = round.list.products.reduce(0) { $0 + $1.prices.count + $1.offers.count }
    account.requests = client.requests
    account.resumed = archive.resumed
    account.changes = update.changes
    report(account, round)
    return account
  }

  /// Reads the catalogue that the previous fetch wrote; `nil` if there is none.
  ///
  /// A catalogue that a person wrote is an error, because the fetch would overwrite the file.
  private func listBefore() throws(RunFailure) -> CatalogueText? {
    guard PathStatus.exists(prices.output) else { return nil }
    let list = try CatalogueText.read(path: prices.output)
    guard list.askedOn != nil else {
      throw RunFailure(
        .badConfiguration,
        """
        \(OneLine.text(prices.output)): fetch.prices.output names a catalogue that was written by \
        hand, and the fetch would replace it; name another file, and list both files under \
        inputs.catalog
        """)
    }
    return list
  }

  private func refuse(_ round: PriceListRound) throws(RunFailure) {
    guard let app = round.unknownApps.first else { return }
    throw RunFailure(
      .dataRefused,
      """
      App Store Connect has no app \(OneLine.text(app)), or the key has no access to it; check \
      bundle_ids, and the key's role under Users and Access
      """)
  }

  private func report(_ account: Account, _ round: PriceListRound) {
    log.notice("\(account.text)")
    if !round.unpriced.isEmpty {
      let products = round.unpriced.map(OneLine.text).joined(separator: ", ")
      log.notice("products without a price: \(products)")
    }
    if round.unreadable > 0 {
      log.warning(
        """
        \(Count.text(round.unreadable, "row")) from App Store Connect without a storefront, price \
        or product: not written to the catalogue, kept in the archive
        """)
    }
    guard !account.changes.isEmpty else { return }
    let changed = Count.text(account.changes.count, "price")
    log.warning("App Store Connect: \(changed) changed since the last fetch")
  }
}
