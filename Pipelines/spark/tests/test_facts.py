"""The tables of the Spark job equal those of one machine, row by row."""

import subprocess
import unittest

import spark_case
from spark_case import BIN, SparkCase, Store

CUSTOMERS = 3000


class FactTests(SparkCase):
    def test_the_sample_has_the_facts_of_one_machine_in_1_2_7_and_200_partitions(self):
        store = Store(self.folder / "store")
        decided = store.decide()
        digest = decided["audit_run"].rows[0][decided["audit_run"].columns.index("content_digest")]
        self.assertGreater(len(decided["fct_revenue"].rows), 400)
        # The later runs replace the output of the first.
        for partitions in (1, 2, 7, 200):
            with self.subTest(partitions=partitions):
                self.assertEqual(self.run_job(store, partitions), digest)
                self.assert_the_facts_of(decided)

    def test_3000_customers_with_an_id_that_a_fifth_of_all_records_share(self):
        store = Store(self.folder / "store", customers=CUSTOMERS)
        store.share_an_id()
        decided = store.decide()
        self.run_job(store, 7)
        self.assert_the_facts_of(decided)

    def test_3000_customers_as_they_are(self):
        store = Store(self.folder / "store", customers=CUSTOMERS)
        decided = store.decide()
        self.run_job(store, 4)
        self.assert_the_facts_of(decided)

    def test_a_second_run_over_less_leaves_nothing_of_the_first(self):
        store = Store(self.folder / "store")
        store.decide()
        self.run_job(store, 2)
        months = {path.name for path in (self.out / "fct_revenue").iterdir() if path.is_dir()}
        for path in store.receipts()[2:]:
            path.unlink()
        decided = store.decide()
        self.run_job(store, 2)
        self.assert_the_facts_of(decided)
        left = {path.name for path in (self.out / "fct_revenue").iterdir() if path.is_dir()}
        self.assertLess(left, months)

    def test_a_store_that_fills_few_of_many_partitions(self):
        store = Store(self.folder / "store", customers=2)
        decided = store.decide()
        self.run_job(store, 20)
        self.assert_the_facts_of(decided)

    def test_a_store_without_a_purchase(self):
        store = Store(self.folder / "store")
        for path in store.receipts():
            path.unlink()
        (store.folder / "receipts" / "2021-01-01.ndjson").write_text("")
        decided = store.decide()
        self.assertEqual(decided["fct_revenue"].rows, [])
        self.run_job(store, 2)
        self.assert_the_facts_of(decided)

    def test_two_apps_that_sell_the_same_ids(self):
        store = self.hard_store("several-apps")
        decided = store.decide()
        apps = {row[decided["dim_product"].columns.index("bundle_id")]
                for row in decided["dim_product"].rows}
        self.assertGreater(len(apps), 1)
        self.run_job(store, 3)
        self.assert_the_facts_of(decided)

    def test_a_currency_that_got_another_unit_which_the_catalogue_does_not_name(self):
        store = self.hard_store("currency-reform-unlisted")
        decided = store.decide()
        gates = [row[decided["audit_gate"].columns.index("gate")]
                 for row in decided["audit_gate"].rows]
        self.assertIn("rebased_currency", gates)
        self.run_job(store, 3)
        self.assert_the_facts_of(decided)

    def hard_store(self, phenomenon):
        """A store with one of the difficulties of real stores, and with its own pipeline."""
        folder = self.folder / "store"
        subprocess.run([BIN / "paidline-sample", folder, "--hard", phenomenon, "--seed", "1",
                        "--customers", "400"], check=True, stdout=subprocess.DEVNULL)
        return Store.existing(folder, "pipeline.yaml")

    def test_executables_that_travel_with_the_job(self):
        store = Store(self.folder / "store", customers=5)
        decided = store.decide()
        self.run_job(store, 2, installed=False)
        self.assert_the_facts_of(decided)

    def test_an_earlier_view(self):
        store = Store(self.folder / "store")
        as_of = "2021-06-01"
        subprocess.run([BIN / "paidline", "run", "-q", store.pipeline, "--as-of", as_of], check=True)
        self.run_job(store, 3, as_of=as_of)
        self.assert_the_facts_of(store.published())


if __name__ == "__main__":
    unittest.main(verbosity=2)
